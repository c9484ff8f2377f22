/* SPDX-License-Identifier: Apache-2.0 */
/* Left out code lends recorded code a variable of its own, and waits for what that leaves there a pointer to.
 * expect: none */
#include "threads.h"

int X, seen;
volatile int Y;

__attribute__((noinline)) static void place(volatile int **at) { *at = &Y; }

OUTSIDE void m_wait(void) {
    volatile int *y;
    place(&y);
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
