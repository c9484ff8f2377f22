// SPDX-License-Identifier: Apache-2.0
// C++20: atomic wait and notify, counting_semaphore, latch, barrier, atomic_flag, atomic shared_ptr, fences: all on
// futexes that libstdc++ calls by itself.
#include "check.h"

#include <atomic>
#include <barrier>
#include <chrono>
#include <latch>
#include <memory>
#include <semaphore>
#include <thread>
#include <vector>

using namespace std::chrono_literals;

static void run(int n, auto &&f) {
    std::vector<std::jthread> threads;
    for (int i = 0; i < n; i++)
        threads.emplace_back(f, i);
}

// acquire() of libstdc++ 12 may sleep for ever: it sleeps as long as the count is what it was at first, be it 2.
template <class Semaphore> static void take(Semaphore &semaphore) {
    while (!semaphore.try_acquire_for(100ms))
        ;
}

int main() {
    std::atomic<int> turn{0};
    run(3, [&](int me) {
        for (int i = 0; i < 30; i++) {
            for (int seen; (seen = turn.load()) % 3 != me;)
                turn.wait(seen);
            turn++;
            turn.notify_all();
        }
    });
    CHECK(turn == 90);

    std::counting_semaphore<5> some(2);
    std::binary_semaphore one(1);
    int inside = 0, most = 0, passed = 0;
    run(5, [&](int) {
        for (int i = 0; i < 20; i++) {
            take(some);
            take(one);
            most = std::max(most, ++inside);
            one.release();
            take(one);
            inside--, passed++;
            one.release();
            some.release();
        }
    });
    CHECK(passed == 100 && most <= 2 && !inside);
    CHECK(one.try_acquire() && !one.try_acquire() && !one.try_acquire_for(1ms));

    std::latch ready(4);
    std::atomic_flag flag;
    int data = 0;
    std::atomic<int> sum{0};
    {
        std::jthread setter([&] {
            ready.wait();
            data = 5;
            flag.test_and_set(std::memory_order_release);
            flag.notify_all();
        });
        run(4, [&](int) {
            ready.count_down();
            flag.wait(false, std::memory_order_acquire);
            sum.fetch_add(data, std::memory_order_relaxed);
        });
    }
    CHECK(sum == 20);

    int phases = 0;
    int cells[4] = {};
    std::barrier sync(4, [&]() noexcept { phases++; });
    run(4, [&](int me) {
        for (int i = 1; i <= 10; i++) {
            cells[me] = i;
            sync.arrive_and_wait();
            for (int c : cells)
                CHECK(c == i);
            sync.arrive_and_wait();
        }
        sync.arrive_and_drop();
    });

    std::atomic<std::shared_ptr<int>> pointer{std::make_shared<int>(0)};
    run(3, [&](int) {
        for (int i = 0; i < 20; i++) {
            auto old = pointer.load();
            while (!pointer.compare_exchange_weak(old, std::make_shared<int>(*old + 1)))
                ;
        }
    });
    std::atomic_thread_fence(std::memory_order_seq_cst);
    printf("atomics %d %d %d %d\n", turn.load(), passed, phases, *pointer.load());
}
