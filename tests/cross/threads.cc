// SPDX-License-Identifier: Apache-2.0
// What C++ adds: std::thread, condition variables, exceptions through instrumented frames, thread-local objects with
// destructors, guarded statics, atomics, call_once, futures. Prints the same under every schedule.
#include <atomic>
#include <condition_variable>
#include <cstdio>
#include <future>
#include <map>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

static std::mutex lock;
static std::condition_variable changed;
static std::map<std::string, int> counts;
static std::atomic<int> ended{0}, thrown{0};
static int turns = 0;

struct local {
    int uses = 0;
    ~local() { ended += uses; }
};
static thread_local local mine;

static const std::string &prefix() {
    static const std::string text = [] {
        std::lock_guard<std::mutex> hold(lock);
        counts["initialised"]++;
        return std::string("thread ");
    }();
    return text;
}

static int odd(int n) {
    if (n % 2 == 0)
        throw std::runtime_error(prefix() + std::to_string(n));
    return n;
}

static void work(int id) {
    for (int i = 0; i < 50; i++) {
        mine.uses++;
        try {
            odd(i);
        } catch (const std::runtime_error &e) {
            thrown.fetch_add(1, std::memory_order_relaxed);
            std::lock_guard<std::mutex> hold(lock);
            counts[e.what()]++;
        }
    }
    std::unique_lock<std::mutex> hold(lock);
    changed.wait(hold, [id] { return turns == id; });
    std::printf("%s%d has its turn\n", prefix().c_str(), id);
    turns++;
    changed.notify_all();
}

int main() {
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; i++)
        threads.emplace_back(work, i);
    for (auto &t : threads)
        t.join();
    std::once_flag once;
    for (int i = 0; i < 2; i++)
        std::call_once(once, [] { std::puts("once"); });
    auto later = std::async(std::launch::async, [] { return odd(6); });
    try {
        later.get();
    } catch (const std::exception &e) {
        std::printf("caught %s\n", e.what());
    }
    int sum = 0;
    for (const auto &c : counts)
        sum += c.second;
    std::printf("%d ended, %d thrown, %zu keys, %d in all\n", ended.load(), thrown.load(), counts.size(), sum);
}
