// SPDX-License-Identifier: Apache-2.0
// Who comes first writes, and hands over a tag by value: an object of an empty class, whose one byte nobody ever writes and some calling
// conventions load.
// twin: data
// exact: the way on which the second thread comes first was not recorded
#include <mutex>
#include <thread>

struct tag {
    tag() {}
};

static std::mutex lock;
static int turn, data;

static void put(int value, tag) { data = value; }

static void first() {
    std::lock_guard<std::mutex> held(lock);
    turn = 1;
    put(1, tag());
}

static void second() {
    std::unique_lock<std::mutex> held(lock);
    int before = turn;
    turn = 2;
#ifdef TWIN
    held.unlock();
#endif
    if (!before)
        put(2, tag());
}

int main() {
    std::thread one(first), other(second);
    one.join();
    other.join();
    return !data;
}
