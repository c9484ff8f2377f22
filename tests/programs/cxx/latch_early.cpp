// SPDX-License-Identifier: Apache-2.0
// c++20
// Each worker says at a latch that its part is there. One says it before it has written.
#include <latch>
#include <thread>
#include <vector>

static std::latch ready(3);
static std::vector<int> parts(3);

static void build(int n) {
#ifndef TWIN
    if (n == 2) {
        ready.count_down();
        parts[n] = n * n; // race 1
        return;
    }
#endif
    parts[n] = n * n;
    ready.count_down();
}

int main() {
    std::vector<std::thread> workers;
    for (int i = 0; i < 3; i++)
        workers.emplace_back(build, i);
    ready.wait();
    int sum = 0;
    for (int part : parts) // race 2
        sum += part;
    for (auto &worker : workers)
        worker.join();
    return sum > 5;
}
