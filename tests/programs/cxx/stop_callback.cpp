// SPDX-License-Identifier: Apache-2.0
// c++20
// A callback for stopping runs in the thread that asks for the stop. It touches what the worker uses.
#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <thread>
#include <vector>

static std::mutex lock;
static std::condition_variable_any changed;
static std::vector<int> items;
static int pending;

static void work(std::stop_token token) {
    std::stop_callback stopped(token, [] {
#ifdef TWIN
        std::lock_guard<std::mutex> held(lock);
#endif
        pending = 0; // race 1
    });
    std::unique_lock<std::mutex> held(lock);
    while (!token.stop_requested() && changed.wait(held, token, [] { return !items.empty(); })) {
        items.pop_back();
        pending++; // race 2
    }
}

int main() {
    std::jthread worker(work);
    {
        std::lock_guard<std::mutex> held(lock);
        items.push_back(1);
        changed.notify_one();
    }
    worker.request_stop();
    worker.join();
    return pending > 1;
}
