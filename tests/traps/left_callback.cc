// SPDX-License-Identifier: Apache-2.0
// Recorded functions that a library calls end by an exception, or a jump, that the library catches: what they did comes before
// the word that it says then, and what is recorded after that is as it was. The twin looks at what is written after the call.
// twin: late
// library: catches.cc
#include <atomic>
#include <sched.h>
#include <thread>

void catches(void (*throws)(int), void (*jumps)(int), std::atomic<int> *flag);
[[noreturn]] void catches_jump();

static std::atomic<int> flag;
static int data, late;

static int add(int n) {
    volatile int on_the_stack[5] = {n, 1};
    return on_the_stack[1];
}

static void throws(int) {
    volatile int on_the_stack[7] = {};
    on_the_stack[data % 7] = add(data);
    data += on_the_stack[data % 7];
    throw 3;
}

static void jumps(int) {
    volatile int on_the_stack[9] = {};
    on_the_stack[data] = add(data);
    data += on_the_stack[data];
    catches_jump();
}

int main() {
    int seen = 0;
    std::thread reader([&seen] {
#ifdef TWIN
        if (late > 1)
            return;
#endif
        while (!flag)
            sched_yield();
        seen = data;
    });
    volatile int before[3] = {1, 2, 3};
    catches(throws, jumps, &flag);
    late = before[0] + add(2);
    reader.join();
    return seen != 8 || late != 2 || before[2] != 3;
}
