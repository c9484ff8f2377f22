/* SPDX-License-Identifier: Apache-2.0 */
/* A call of left out code carries what one thread has done to another, and goes on.
 * expect: none */
#include "threads.h"
#include <stdatomic.h>

int X, seen;
volatile int here, there;
atomic_int finished;

OUTSIDE void m_between(volatile int *a, volatile int *b) {
    while (*a != 1)
        ;
    *b = 1;
    while (*a != 2)
        ;
}

OUTSIDE void m_wait(volatile int *y) {
    while (*y != 1)
        ;
}

static void *first(void *unused) {
    X = 1;
    here = 1;
    while (!finished)
        ;
    here = 2;
    return unused;
}

static void *relay(void *unused) {
    m_between(&here, &there);
    return unused;
}

static void *second(void *unused) {
    m_wait(&there);
    seen = X;
    finished = 1;
    return unused;
}

int main(void) {
    run((void *(*const[])(void *)){relay, second, first}, 3);
    return seen != 1;
}
