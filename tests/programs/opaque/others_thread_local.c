/* SPDX-License-Identifier: Apache-2.0 */
/* Left out code was told of a thread-local variable, which its thread alone was seen to touch; such code in another
 * thread waits for it. expect: none */
#include "threads.h"

int X;
static volatile int *volatile kept;
static _Thread_local volatile int flag;

OUTSIDE void m_keep(volatile int *to) { kept = to; }
OUTSIDE void m_wait(void) {
    while (!kept || *kept != 1)
        ;
}

static void *first(void *unused) {
    m_keep(&flag);
    X = 1;
    flag = 1;
    sched_yield();
    return unused;
}

static void *second(void *unused) {
    m_wait();
    return (char *)unused + 0 * X;
}

int main(void) {
    run((void *(*const[])(void *)){first, second}, 2);
    return 0;
}
