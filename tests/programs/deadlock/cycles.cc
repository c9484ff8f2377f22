// SPDX-License-Identifier: Apache-2.0
// The same by the classes of C++: cycles.cc guards|shared can deadlock, scoped|lock|ordered can't.
#include <cstdio>
#include <cstring>
#include <mutex>
#include <shared_mutex>
#include <thread>

static std::mutex a, b;
static std::shared_mutex s;

static void guards(std::mutex &one, std::mutex &other) {
    std::lock_guard<std::mutex> first(one);
    std::lock_guard<std::mutex> second(other);
}

static void shared(bool writes) {
    if (writes) {
        std::lock_guard<std::mutex> first(a);
        std::unique_lock<std::shared_mutex> second(s);
    } else {
        std::shared_lock<std::shared_mutex> first(s);
        std::lock_guard<std::mutex> second(a);
    }
}

// Takes one, and tries the other; where that fails it gives the first one back.
static void scoped(std::mutex &one, std::mutex &other) { std::scoped_lock both(one, other); }

static void lock(std::mutex &one, std::mutex &other) {
    std::lock(one, other);
    one.unlock();
    other.unlock();
}

static void run(const char *kind, bool second) {
    std::mutex &one = second ? b : a, &other = second ? a : b;
    if (!std::strcmp(kind, "guards"))
        guards(one, other);
    else if (!std::strcmp(kind, "shared"))
        shared(second);
    else if (!std::strcmp(kind, "scoped"))
        scoped(one, other);
    else if (!std::strcmp(kind, "lock"))
        lock(one, other);
    else
        guards(a, b);
}

int main(int argc, char **argv) {
    if (argc < 2)
        return 2;
    std::thread first(run, argv[1], false), second(run, argv[1], true);
    first.join();
    second.join();
    std::puts("went on");
}
