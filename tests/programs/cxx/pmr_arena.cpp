// SPDX-License-Identifier: Apache-2.0
// An arena that does not synchronise serves two threads. One takes from it outside of the lock that guards it.
#include <cstddef>
#include <memory_resource>
#include <mutex>
#include <thread>
#include <vector>

static std::byte space[4096];
static std::pmr::monotonic_buffer_resource arena(space, sizeof space, std::pmr::null_memory_resource());
static std::mutex lock;
static int built;

static int fill(int n) {
    std::unique_lock<std::mutex> held(lock);
    std::pmr::vector<int> numbers(&arena);
    numbers.reserve((size_t)n); // race 1
    held.unlock();
    for (int i = 0; i < n; i++)
        numbers.push_back(i);
    held.lock();
    built++;
    return numbers.back();
}

static void note() {
    {
        std::lock_guard<std::mutex> held(lock);
        built++;
    }
#ifdef TWIN
    std::lock_guard<std::mutex> held(lock);
#endif
    void *place = arena.allocate(64, 8); // race 2
    *static_cast<int *>(place) = 1;
}

int main() {
    std::thread one([] { fill(8); }), other(note);
    one.join();
    other.join();
    return built != 2;
}
