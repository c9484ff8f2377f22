// SPDX-License-Identifier: Apache-2.0
// A handler, a std::function, is set under a lock, and whether there is one is asked outside of it.
#include <functional>
#include <mutex>
#include <thread>

static std::mutex lock;
static std::function<int(int)> handler;
static int handled;

static void set(std::function<int(int)> next) {
    std::lock_guard<std::mutex> held(lock);
    handler = std::move(next); // race 1
}

static void fire(int n) {
#ifdef TWIN
    std::lock_guard<std::mutex> held(lock);
    if (!handler)
        return;
#else
    if (!handler) // race 2
        return;
    std::lock_guard<std::mutex> held(lock);
#endif
    handled += handler(n);
}

int main() {
    int factor = 2;
    std::thread owner([&] { set([&factor](int n) { return n * factor; }); });
    std::thread source([] {
        fire(1);
        fire(2);
    });
    owner.join();
    source.join();
    return handled > 6;
}
