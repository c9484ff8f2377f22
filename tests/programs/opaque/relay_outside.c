/* SPDX-License-Identifier: Apache-2.0 */
/* A thread all of whose code is left out stands between two others, one of which is recorded.
 * expect: none */
#include "threads.h"

int X, seen;
volatile int here, there;

OUTSIDE void *m_relay(void *unused) {
    while (here != 1)
        ;
    there = 1;
    return unused;
}

OUTSIDE void m_wait(volatile int *y) {
    while (*y != 1)
        ;
}

static void *first(void *unused) {
    X = 1;
    here = 1;
    return unused;
}

static void *second(void *unused) {
    m_wait(&there);
    seen = X;
    return unused;
}

int main(void) {
    run((void *(*const[])(void *)){first, m_relay, second}, 3);
    return seen != 1;
}
