// SPDX-License-Identifier: Apache-2.0
// Exceptions by which threads wait for each other when they are asked what they are.
#include <atomic>
#include <stdexcept>

static std::atomic<int> told;

struct teller : std::runtime_error {
    teller() : runtime_error("told") {}
    const char *what() const noexcept override {
        told.store(1, std::memory_order_release);
        return runtime_error::what();
    }
};

struct waiter : std::runtime_error {
    waiter() : runtime_error("waited") {}
    const char *what() const noexcept override {
        while (!told.load(std::memory_order_acquire))
            ;
        return runtime_error::what();
    }
};

const std::exception *make_teller() { return new teller; }
const std::exception *make_waiter() { return new waiter; }
