// SPDX-License-Identifier: Apache-2.0
// What an object is, is told by dynamic_cast: who finds the new type under the lock comes after who made it. The twin's reader
// asks, and does not look at the answer.
// twin: data
#include <mutex>
#include <new>
#include <sched.h>
#include <thread>

struct base {
    virtual ~base() = default;
};
struct before : base {
    virtual int number() { return 1; }
};
struct after : base {
    virtual int other() { return 2; }
};

static int data, found;
static std::mutex mutex;
alignas(16) static char room[64];
static base *object;

static void writer() {
    data = 1;
    std::lock_guard<std::mutex> guard(mutex);
    object->~base();
    object = new (room) after;
}

static void reader() {
    for (int i = 0; i < 30; i++) // most likely the other one has come so far; if not, nothing is found
        sched_yield();
    bool is_after;
    {
        std::lock_guard<std::mutex> guard(mutex);
        is_after = dynamic_cast<after *>(object) != nullptr;
    }
#ifdef TWIN
    is_after = true;
#endif
    if (is_after)
        found = data;
}

int main() {
    object = new (room) before;
    std::thread first(writer), second(reader);
    first.join();
    second.join();
    return found > 1;
}
