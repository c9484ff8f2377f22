// SPDX-License-Identifier: Apache-2.0
// What C++ does once: static variables behind guards (also when their initialiser throws) and call_once; destructors of
// thread_local objects, in the right order and on the right thread.
#include "check.h"

#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

static std::mutex lock;
static int constructed, attempts, calls, destroyed;

struct heavy {
    std::vector<int> data;
    heavy() : data(1000, 7) {
        constructed++;
        std::this_thread::yield();
        data.push_back(1);
    }
};

static heavy &single() {
    static heavy h;
    return h;
}

static int fragile() {
    static int value = [] {
        if (++attempts < 3)
            throw std::runtime_error("not yet");
        return 42;
    }();
    return value;
}

struct tracked {
    std::string name;
    explicit tracked(const char *n) : name(n) {}
    ~tracked() {
        std::lock_guard hold(lock);
        destroyed += (int)name.size();
    }
};

static thread_local tracked mine("four");

static std::once_flag flag, failing;

static void work() {
    CHECK(single().data.size() == 1001 && single().data.back() == 1);
    for (;;)
        try {
            CHECK(fragile() == 42);
            break;
        } catch (const std::runtime_error &) {
        }
    std::call_once(flag, [] { calls++; });
    for (int done = 0; !done;)
        try {
            std::call_once(failing, [] {
                if (++calls % 3)
                    throw 1;
            });
            done = 1;
        } catch (int) {
        }
    thread_local tracked inner("sixsix");
    CHECK(mine.name == "four" && inner.name.size() == 6);
}

int main() {
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; i++)
        threads.emplace_back(work);
    for (auto &t : threads)
        t.join();
    CHECK(constructed == 1 && attempts == 3 && destroyed == 40);
    printf("once %d %d %d\n", constructed, attempts, calls);
}
