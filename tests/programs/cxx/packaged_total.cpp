// SPDX-License-Identifier: Apache-2.0
// Packaged tasks are carried by threads; each returns its part, and one also adds to a total that the collector adds to.
#include <deque>
#include <future>
#include <mutex>
#include <thread>
#include <vector>

static std::mutex lock;
static std::deque<std::packaged_task<long(int)>> waiting;
static long total;

static long square(int n) {
    if (n == 3)
#ifdef TWIN
        return 9;
#else
        total += 1; // race 1
#endif
    return (long)n * n;
}

static void carry(int n) {
    std::packaged_task<long(int)> task;
    {
        std::lock_guard<std::mutex> held(lock);
        task = std::move(waiting.front());
        waiting.pop_front();
    }
    task(n);
}

int main() {
    std::vector<std::future<long>> parts;
    for (int i = 0; i < 3; i++) {
        waiting.emplace_back(square);
        parts.push_back(waiting.back().get_future());
    }
    std::vector<std::thread> carriers;
    for (int i = 1; i <= 3; i++)
        carriers.emplace_back(carry, i);
    long first = parts[0].get();
    total += first; // race 2
    for (auto &carrier : carriers)
        carrier.join();
    return total < 1;
}
