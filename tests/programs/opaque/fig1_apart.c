/* SPDX-License-Identifier: Apache-2.0 */
/* Figure 1, where the two reach different addresses: a race, which simple barriers lose.
 * expect: X
 * simple: none */
#include "threads.h"

int X, seen;
volatile int Y, Z;

OUTSIDE void m_set(volatile int *y) { *y = 1; }
OUTSIDE int m_look(volatile int *z) { return *z; }

static void *first(void *unused) {
    X = 1;
    m_set(&Y);
    return unused;
}

static void *second(void *unused) {
    m_look(&Z);
    seen = X;
    return unused;
}

int main(void) {
    run((void *(*const[])(void *)){first, second}, 2);
    return 0;
}
