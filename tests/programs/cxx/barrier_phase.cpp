// SPDX-License-Identifier: Apache-2.0
// c++20
// Rows of a grid are computed in phases. One worker arrives at the barrier and does not wait for the others.
#include <barrier>
#include <thread>
#include <vector>

enum { N = 3 };
static std::vector<int> now(N, 1), next_(N);
static std::barrier<> phase(N);

static void work(int n) {
    next_[n] = now[n] + now[(n + 1) % N]; // race 1
#ifdef TWIN
    phase.arrive_and_wait();
#else
    if (n == 1)
        (void)phase.arrive();
    else
        phase.arrive_and_wait();
#endif
    now[n] = next_[n]; // race 2
}

int main() {
    std::vector<std::thread> workers;
    for (int i = 0; i < N; i++)
        workers.emplace_back(work, i);
    for (auto &worker : workers)
        worker.join();
    return now[0] < 2;
}
