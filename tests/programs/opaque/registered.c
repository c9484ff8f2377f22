/* SPDX-License-Identifier: Apache-2.0 */
/* Left out code has kept a pointer to such code, and calls it later.
 * expect: none */
#include "threads.h"

int X, seen;
volatile int Y;

OUTSIDE void m_wait(void) {
    while (Y != 1)
        ;
}
static void (*volatile kept)(void);
OUTSIDE void m_register(void) { kept = m_wait; }
OUTSIDE void m_call(void) { kept(); }

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
    m_register();
    run((void *(*const[])(void *)){first, second}, 2);
    return seen != 1;
}
