/* SPDX-License-Identifier: Apache-2.0 */
/* A thread all of whose code is left out stands between the two.
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

static void *first(void *unused) {
    X = 1;
    here = 1;
    return unused;
}

static void *second(void *unused) {
    while (there != 1)
        ;
    seen = X;
    return unused;
}

int main(void) {
    run((void *(*const[])(void *)){first, m_relay, second}, 3);
    return seen != 1;
}
