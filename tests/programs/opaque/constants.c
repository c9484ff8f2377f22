/* SPDX-License-Identifier: Apache-2.0 */
/* The way to what left out code works on leads through constants; or it put the way there itself, a constant.
 * expect: none */
#include "threads.h"

int X, Z, seen;
volatile int Y, V;
static volatile int *const there[] = {0, &Y};
static volatile int *kept[1];

OUTSIDE void m_wait(volatile int *const *way, int i) {
    while (*way[i] != 1)
        ;
}
OUTSIDE void m_keep(volatile int **way) { *way = &V; }

static void *first(void *unused) {
    X = 1;
    Y = 1;
    Z = 1;
    V = 1;
    return unused;
}

static void *second(void *unused) {
    m_wait(there, 1);
    seen = X;
    m_wait(kept, 0);
    seen = Z;
    return unused;
}

int main(void) {
    m_keep(kept);
    run((void *(*const[])(void *)){first, second}, 2);
    return seen != 1;
}
