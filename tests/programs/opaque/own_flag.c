/* SPDX-License-Identifier: Apache-2.0 */
/* Left out code lets others know of a variable of its own, and says there that it is done.
 * expect: none */
#include "threads.h"

int X, seen;
volatile int *_Atomic place;
_Atomic int is_read;

OUTSIDE void m_say(void) {
    volatile int y = 0;
    place = &y;
    y = 1;
    while (!is_read)
        ;
}

static void *first(void *unused) {
    X = 1;
    m_say();
    return unused;
}

static void *second(void *unused) {
    volatile int *at;
    while (!(at = place))
        ;
    while (!*at)
        ;
    seen = X;
    is_read = 1;
    return unused;
}

int main(void) {
    run((void *(*const[])(void *)){first, second}, 2);
    return seen != 1;
}
