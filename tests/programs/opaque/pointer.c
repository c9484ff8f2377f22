/* SPDX-License-Identifier: Apache-2.0 */
/* Code that is left out calls such code by a pointer, which lies in a variable.
 * expect: none */
#include "threads.h"

int X, seen;
volatile int Y;

OUTSIDE void m_wait(void) {
    while (Y != 1)
        ;
}
static void (*volatile there)(void) = m_wait;
OUTSIDE void m_call(void) { there(); }

static void *first(void *unused) {
    X = 1;
    Y = 1;
    return unused;
}

static void *second(void *unused) {
    m_call();
    seen = X;
    return unused;
}

int main(void) {
    run((void *(*const[])(void *)){first, second}, 2);
    return seen != 1;
}
