// SPDX-License-Identifier: Apache-2.0
// What the C++ library's threads, locks, conditions, counts and futures do where recipe has their code again (src/stdcxx):
// as natively, with their errors. tests/cli/cxx.sh runs it with libc++, too.
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <future>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <stdexcept>
#include <system_error>
#include <thread>
#include <unordered_map>
#include <vector>

template <class Error, class Function> static void throws(const char *what, Function function) {
    try {
        function();
        printf("%s: nothing\n", what);
    } catch (const Error &e) {
        printf("%s: %s %d\n", what, e.code().category().name(), e.code().value());
    }
}

static void threads() {
    std::thread none, one([] {});
    one.join();
    throws<std::system_error>("join again", [&] { one.join(); });
    throws<std::system_error>("detach none", [&] { none.detach(); });
    std::promise<void> done;
    std::future<void> wait = done.get_future();
    std::thread([&done] { done.set_value_at_thread_exit(); }).detach();
    wait.get();
    auto kept = std::make_shared<int>(3);
    std::thread([kept] {}).join();
    printf("%ld owner\n", kept.use_count()); // what the thread was given is gone with it
}

static void locks() {
    std::mutex mutex;
    std::recursive_mutex again;
    std::shared_mutex shared;
    std::lock_guard<std::recursive_mutex> first(again), second(again);
    mutex.lock();
    bool tried = true, reads = true, writes = true, late = true;
    shared.lock_shared();
    std::thread([&] {
        tried = mutex.try_lock();
        reads = shared.try_lock_shared();
        writes = shared.try_lock();
        if (reads)
            shared.unlock_shared();
    }).join();
    shared.unlock_shared();
    mutex.unlock();
    std::thread writer([&] { std::lock_guard<std::shared_mutex> held(shared); });
    {
        std::shared_lock<std::shared_mutex> held(shared);
    }
    writer.join();
    std::condition_variable never;
    std::unique_lock<std::mutex> held(mutex);
    late = never.wait_until(held, std::chrono::system_clock::now() + std::chrono::milliseconds(2)) == std::cv_status::timeout;
    bool kept = held.owns_lock();
    printf("%d %d %d %d %d %d\n", tried, reads, writes, late, kept, shared.try_lock());
    shared.unlock();
}

static void conditions() {
    std::mutex mutex;
    std::condition_variable turn;
    int at = 0;
    std::vector<std::thread> players;
    for (int i = 0; i < 3; i++)
        players.emplace_back([&, i] {
            for (int round = 0; round < 3; round++) {
                std::unique_lock<std::mutex> held(mutex);
                turn.wait(held, [&] { return at % 3 == i; });
                printf("%d", i);
                at++;
                turn.notify_all();
            }
        });
    for (auto &player : players)
        player.join();
    puts("");
}

static void once() {
    std::once_flag flag;
    int tries = 0;
    for (int i = 0; i < 3; i++)
        try {
            std::call_once(flag, [&] {
                if (++tries == 1)
                    throw std::runtime_error("the first");
            });
        } catch (const std::runtime_error &e) {
            puts(e.what());
        }
    std::once_flag other;
    int runs = 0;
    std::thread one([&] { std::call_once(other, [&] { runs++; }); });
    std::call_once(other, [&] { runs++; });
    one.join();
    printf("%d %d\n", tries, runs);
}

static void counts() {
    std::weak_ptr<int> weak;
    {
        auto strong = std::make_shared<int>(7);
        weak = strong;
        std::thread([weak] {
            if (auto mine = weak.lock())
                printf("%d %ld\n", *mine, mine.use_count());
        }).join();
    }
    printf("%d %d\n", weak.expired(), weak.lock() == nullptr);
}

static void futures() {
    std::promise<void> promise;
    std::future<void> future = promise.get_future();
    throws<std::future_error>("a second future", [&] { promise.get_future(); });
    std::thread([&] { promise.set_value(); }).join();
    future.wait();
    future.get();
    throws<std::future_error>("a second value", [&] { promise.set_value(); });
    throws<std::future_error>("a second exception", [&] { promise.set_exception(std::make_exception_ptr(1)); });
    std::promise<void> moved(std::move(promise));
    throws<std::future_error>("no state", [&] { promise.set_value(); });
    std::future<void> broken;
    {
        std::promise<void> dropped;
        broken = dropped.get_future();
    }
    throws<std::future_error>("broken", [&] { broken.get(); });
    std::future<void> failing = std::async(std::launch::async, [] { throw std::runtime_error("failed"); });
    try {
        failing.get();
    } catch (const std::runtime_error &e) {
        puts(e.what());
    }
    std::future<int> later = std::async(std::launch::deferred, [] { return 5; });
    std::future<void> nothing = std::async(std::launch::deferred, [] { puts("now"); });
    std::shared_future<int> shared = std::async(std::launch::async, [] { return 6; }).share();
    nothing.wait();
    nothing.get();
    printf("%d %d\n", later.get(), shared.get());
}

int main() {
    threads();
    locks();
    conditions();
    once();
    counts();
    futures();
    std::unordered_map<int, int> table;
    for (int i = 0; i < 1000; i++)
        table[i] = i, i % 100 ? 0 : printf("%zu ", table.bucket_count());
    puts("");
    return 0;
}
