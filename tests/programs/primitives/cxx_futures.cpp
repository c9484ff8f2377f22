// SPDX-License-Identifier: Apache-2.0
// Futures: promise, packaged_task, async, shared_future; exceptions carried from one thread to another.
#include "check.h"

#include <chrono>
#include <functional>
#include <future>
#include <numeric>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

using namespace std::chrono_literals;

static long sum(const std::vector<int> &v, size_t from, size_t to) {
    if (to - from < 100)
        return std::accumulate(v.begin() + from, v.begin() + to, 0L);
    size_t middle = (from + to) / 2;
    auto left = std::async(std::launch::async, sum, std::cref(v), from, middle);
    long right = sum(v, middle, to);
    return left.get() + right;
}

int main() {
    std::vector<int> v(1000);
    std::iota(v.begin(), v.end(), 1);
    CHECK(sum(v, 0, v.size()) == 500500);

    std::promise<std::string> promise;
    auto future = promise.get_future();
    CHECK(future.wait_for(0s) == std::future_status::timeout);
    std::thread keeper([&] { promise.set_value("kept"); });
    CHECK(future.get() == "kept");
    keeper.join();

    std::promise<int> broken;
    auto hope = broken.get_future();
    std::thread breaker([p = std::move(broken)]() mutable {
        try {
            throw std::out_of_range("beyond");
        } catch (...) {
            p.set_exception(std::current_exception());
        }
    });
    std::string what;
    try {
        hope.get();
    } catch (const std::out_of_range &e) {
        what = e.what();
    }
    breaker.join();
    CHECK(what == "beyond");

    std::packaged_task<int(int)> task([](int x) { return x * x; });
    auto square = task.get_future();
    std::thread(std::move(task), 12).detach();
    CHECK(square.get() == 144);

    std::promise<void> start;
    std::shared_future<void> go(start.get_future());
    std::vector<std::future<int>> all;
    for (int i = 0; i < 5; i++)
        all.push_back(std::async(std::launch::async, [go, i] {
            go.wait();
            if (i == 3)
                throw i;
            return i;
        }));
    start.set_value();
    int total = 0, thrown = 0;
    for (auto &f : all)
        try {
            total += f.get();
        } catch (int i) {
            thrown += i;
        }
    auto lazy = std::async(std::launch::deferred, [] { return 7; });
    printf("futures %d %d %d\n", total, thrown, lazy.get());
}
