/* SPDX-License-Identifier: Apache-2.0 */
/* Left out code lets others know of a variable of its own, and calls recorded code, which waits for it there.
 * expect: none */
#include "threads.h"

int X, seen;
volatile int *_Atomic place;

OUTSIDE void m_call(void (*back)(void)) {
    volatile int y = 0;
    place = &y;
    back();
}

OUTSIDE void m_say(void) { *place = 1; }

static void *first(void *unused) {
    while (!place)
        ;
    X = 1;
    m_say();
    return unused;
}

static void wait(void) {
    while (!*place)
        ;
    seen = X;
}

static void *second(void *unused) {
    m_call(wait);
    return unused;
}

int main(void) {
    run((void *(*const[])(void *)){first, second}, 2);
    return seen != 1;
}
