// SPDX-License-Identifier: Apache-2.0
// Threads wait for each other when what it throws goes.
#include <atomic>

static std::atomic<int> told;

struct teller {
    teller() {}
    teller(const teller &) {}
    ~teller() { told.store(1, std::memory_order_release); }
};

struct waiter {
    waiter() {}
    waiter(const waiter &) {}
    ~waiter() {
        while (!told.load(std::memory_order_acquire))
            ;
    }
};

void throw_teller() { throw teller(); }
void throw_waiter() { throw waiter(); }
