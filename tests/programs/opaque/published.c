/* SPDX-License-Identifier: Apache-2.0 */
/* Left out code lends recorded code a variable of its own, which that lets others know of; then it waits for what they
 * leave there. expect: none */
#include "threads.h"

int X, seen;
volatile int *_Atomic place;

__attribute__((noinline)) static void publish(volatile int *at) { place = at; }

OUTSIDE void m_wait(void) {
    volatile int y = 0;
    publish(&y);
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
