/* SPDX-License-Identifier: Apache-2.0 */
/* One side is recorded: a thread sets y by itself, and the other one's call waits for that.
 * expect: none */
#include "threads.h"

int X, seen;
volatile int Y;

OUTSIDE void m_wait(volatile int *y) {
    while (*y != 1)
        ;
}

static void *first(void *unused) {
    X = 1;
    Y = 1;
    return unused;
}

static void *second(void *unused) {
    m_wait(&Y);
    seen = X;
    return unused;
}

int main(void) {
    run((void *(*const[])(void *)){first, second}, 2);
    return seen != 1;
}
