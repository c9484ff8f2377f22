// SPDX-License-Identifier: Apache-2.0
// A table is made when it is first wanted: checked, locked, checked again; but the pointer is no atomic.
#include <memory>
#include <mutex>
#include <numeric>
#include <thread>
#include <vector>

static std::mutex lock;
static std::unique_ptr<std::vector<int>> table;

static const std::vector<int> &get() {
#ifndef TWIN
    if (!table) // race 1
#endif
    {
        std::lock_guard<std::mutex> held(lock);
        if (!table) {
            auto made = std::make_unique<std::vector<int>>(8);
            std::iota(made->begin(), made->end(), 0);
            table = std::move(made); // race 2
        }
    }
    return *table; // race 1
}

int main() {
    int sums[2] = {0, 0};
    std::thread one([&] { sums[0] = get()[3]; }), other([&] { sums[1] = get()[4]; });
    one.join();
    other.join();
    return sums[0] + sums[1] != 7;
}
