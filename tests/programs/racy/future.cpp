/* SPDX-License-Identifier: Apache-2.0 */
/* C++: a future is waited for, a counter is not guarded. */
#include <condition_variable>
#include <cstdio>
#include <future>
#include <memory>
#include <thread>
#include <vector>

static int hits;
static std::mutex mutex;
static std::vector<int> results;

static int work(int n) {
    hits++;
    std::lock_guard<std::mutex> hold(mutex);
    results.push_back(n);
    return n * n;
}

int main() {
    auto a = std::async(std::launch::async, work, 3);
    std::thread b([] { work(4); });
    int sum = a.get();
    b.join();
    std::printf("%d %d %zu\n", sum, hits, results.size());
}
