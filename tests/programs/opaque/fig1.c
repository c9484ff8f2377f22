/* SPDX-License-Identifier: Apache-2.0 */
/* Figure 1: m_set sets Y, m_wait waits for it; neither is recorded.
 * expect: none */
#include "threads.h"

int X, seen;
volatile int Y;

OUTSIDE void m_set(volatile int *y) { *y = 1; }
OUTSIDE void m_wait(volatile int *y) {
    while (*y != 1)
        ;
}

static void *first(void *unused) {
    X = 1;
    m_set(&Y);
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
