// SPDX-License-Identifier: Apache-2.0
#include <atomic>
#include <csetjmp>

static jmp_buf back;

[[noreturn]] void catches_jump() { longjmp(back, 1); }

// Calls each of them twice, some from a frame that is farther down; none returns.
static void call(void (*function)(int), int depth) {
    if (depth) {
        volatile char room[200] = {};
        call(function, depth - 1);
        (void)room[depth];
    } else
        function(depth);
}

void catches(void (*throws)(int), void (*jumps)(int), std::atomic<int> *flag) {
    for (int i = 0; i < 4; i++)
        try {
            call(throws, i % 3);
        } catch (int) {
        }
    for (volatile int i = 0; i < 4; i = i + 1)
        if (!setjmp(back))
            call(jumps, 2 - i % 3);
    *flag = 1;
}
