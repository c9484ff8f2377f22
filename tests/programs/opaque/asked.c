/* SPDX-License-Identifier: Apache-2.0 */
/* Left out code asks recorded code for a place, and waits for what is there: what it is told is in its reach.
 * expect: none */
#include "threads.h"

int X, seen;
volatile int Y;

__attribute__((noinline)) static volatile int *place(void) { return &Y; }

OUTSIDE void m_wait(void) {
    volatile int *y = place();
    while (*y != 1)
        ;
}

static void *first(void *unused) {
    X = 1;
    Y = 1;
    return unused;
}

static void *second(void *unused) {
    m_wait();
    seen = X;
    return unused;
}

int main(void) {
    run((void *(*const[])(void *)){first, second}, 2);
    return seen != 1;
}
