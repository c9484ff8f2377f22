// SPDX-License-Identifier: Apache-2.0
// std::thread and jthread, mutexes of every kind, shared_mutex, scoped_lock, condition variables, with exceptions
// about.
#include "check.h"

#include <chrono>
#include <condition_variable>
#include <map>
#include <mutex>
#include <shared_mutex>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

using namespace std::chrono_literals;

static std::mutex plain;
static std::recursive_mutex recursive;
static std::timed_mutex timed;
static std::shared_mutex shared;
static std::shared_timed_mutex shared_timed;
static std::map<std::string, int> counts;
static long total, in_time, writes;

static void nested(int depth) {
    std::lock_guard hold(recursive);
    if (depth)
        nested(depth - 1);
    else
        total++;
}

static void work(int me) {
    for (int i = 0; i < 100; i++) {
        try {
            std::scoped_lock both(plain, timed);
            counts["thread " + std::to_string(me)]++;
            if (i % 10 == 0)
                throw std::runtime_error("released by unwinding");
        } catch (const std::runtime_error &) {
            std::unique_lock hold(plain, std::defer_lock);
            hold.lock();
            counts["thrown"]++;
        }
        nested(3);
        if (i % 4 == me % 4) {
            std::unique_lock write(shared);
            writes++;
        } else {
            std::shared_lock read(shared);
            CHECK(writes >= 0);
        }
        if (timed.try_lock_for(1h)) {
            in_time++;
            timed.unlock();
        }
        std::shared_lock late(shared_timed, 1h);
        CHECK(late.owns_lock());
    }
}

static void conditions() {
    std::condition_variable cond;
    std::condition_variable_any any;
    std::mutex m;
    int stage = 0;
    std::thread other([&] {
        std::unique_lock hold(m);
        cond.wait(hold, [&] { return stage == 1; });
        stage = 2;
        any.notify_all();
    });
    {
        std::lock_guard hold(m);
        stage = 1;
    }
    cond.notify_one();
    std::unique_lock hold(m);
    any.wait(hold, [&] { return stage == 2; });
    CHECK(!cond.wait_for(hold, 1ms, [] { return false; }));
    CHECK(cond.wait_until(hold, std::chrono::system_clock::now() - 1s) == std::cv_status::timeout);
    hold.unlock();
    other.join();

    int ticks = 0;
    std::jthread stopped([&](std::stop_token token) {
        std::unique_lock wait(m);
        std::condition_variable_any().wait(wait, token, [] { return false; });
        ticks++;
    });
    stopped.request_stop();
    stopped.join();
    CHECK(ticks == 1);
}

int main() {
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; i++)
        threads.emplace_back(work, i);
    for (auto &t : threads)
        t.join();
    CHECK(counts["thrown"] == 40 && total == 400 && in_time == 400 && writes == 100);
    conditions();
    for (const auto &[name, n] : counts)
        printf("%s: %d\n", name.c_str(), n);
}
