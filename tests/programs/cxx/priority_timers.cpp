// SPDX-License-Identifier: Apache-2.0
// Timers in a priority_queue. The next one is peeked at, so as not to lock in vain.
#include <functional>
#include <mutex>
#include <queue>
#include <string>
#include <thread>
#include <vector>

struct Timer {
    int when;
    std::string name;
    bool operator>(const Timer &other) const { return when > other.when; }
};

static std::mutex lock;
static std::priority_queue<Timer, std::vector<Timer>, std::greater<>> timers;
static int fired;

static void add(int when, const std::string &name) {
    std::lock_guard<std::mutex> held(lock);
    timers.push({when, name}); // race 1
}

static void fire(int now) {
#ifdef TWIN
    std::lock_guard<std::mutex> held(lock);
    if (timers.empty())
        return;
#else
    if (timers.empty()) // race 2
        return;
    std::lock_guard<std::mutex> held(lock);
#endif
    while (!timers.empty() && timers.top().when <= now) {
        fired++;
        timers.pop();
    }
}

int main() {
    add(5, "five");
    std::thread setter([] {
        add(1, "one");
        add(3, "three");
    });
    std::thread clock([] {
        add(2, "two");
        fire(2);
    });
    setter.join();
    clock.join();
    return fired > 2;
}
