/* SPDX-License-Identifier: Apache-2.0 */
/* Left out code lets others know of a variable of its own, and waits for what they leave there.
 * expect: none */
#include "threads.h"

int X, seen;
volatile int *_Atomic place;

OUTSIDE void m_wait(void) {
    volatile int y = 0;
    place = &y;
    while (y != 1)
        ;
}

static void *first(void *unused) {
    volatile int *at;
    while (!(at = place))
        ;
    X = 1;
    *at = 1;
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
