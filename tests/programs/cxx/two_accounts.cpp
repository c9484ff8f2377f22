// SPDX-License-Identifier: Apache-2.0
// Transfers lock both accounts; paying in a fee locks the payer alone.
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

struct Account {
    std::mutex lock;
    long balance = 100;
};

static std::vector<std::unique_ptr<Account>> accounts;

static void transfer(int from, int to, long amount) {
    std::scoped_lock held(accounts[from]->lock, accounts[to]->lock);
    accounts[from]->balance -= amount;
    accounts[to]->balance += amount; // race 1
}

static void fee(int payer, int bank) {
#ifdef TWIN
    std::scoped_lock held(accounts[payer]->lock, accounts[bank]->lock);
#else
    std::lock_guard<std::mutex> held(accounts[payer]->lock);
#endif
    accounts[payer]->balance -= 1;
    accounts[bank]->balance += 1; // race 2
}

int main() {
    for (int i = 0; i < 3; i++)
        accounts.push_back(std::make_unique<Account>());
    std::thread one([] {
        transfer(0, 2, 10);
        transfer(1, 0, 5);
    });
    std::thread other([] { fee(1, 2); });
    one.join();
    other.join();
    return accounts[0]->balance != 95;
}
