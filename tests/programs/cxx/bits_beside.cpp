// SPDX-License-Identifier: Apache-2.0
// Two threads mark different elements of a vector<bool>: different bits, but the same word.
#include <mutex>
#include <thread>
#include <vector>

static std::mutex lock;
static std::vector<bool> visited(16);
static int marks;

static void mark(size_t from, size_t to) {
    for (size_t i = from; i < to; i++) {
        {
            std::lock_guard<std::mutex> held(lock);
            marks++;
#ifdef TWIN
            visited[i] = true;
#endif
        }
#ifndef TWIN
        visited[i] = true; // race 1 2
#endif
    }
}

int main() {
    std::thread low([] { mark(0, 2); }), high([] { mark(8, 10); });
    low.join();
    high.join();
    return marks != 4;
}
