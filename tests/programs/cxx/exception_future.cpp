// SPDX-License-Identifier: Apache-2.0
// A task fails by an exception that its future carries. Its partial result is left in a vector that the caller clears meanwhile.
#include <future>
#include <mutex>
#include <stdexcept>
#include <vector>

static std::mutex lock;
static std::vector<int> partial;
static int attempts;

static int compute(int n) {
    {
        std::lock_guard<std::mutex> held(lock);
        attempts++;
    }
#ifdef TWIN
    std::lock_guard<std::mutex> held(lock);
#endif
    partial[0] = n; // race 1
    if (n > 2)
        throw std::runtime_error("too large");
    return n;
}

int main() {
    partial.assign(4, 0);
    std::future<int> result = std::async(std::launch::async, compute, 3);
    {
        std::lock_guard<std::mutex> held(lock);
        if (partial[0] != 3) // race 2
            attempts++;
    }
    try {
        result.get();
    } catch (const std::runtime_error &) {
        return attempts < 1;
    }
    return 1;
}
