/* SPDX-License-Identifier: Apache-2.0 */
/* Figure 2: a(y) and b(y) in T1, c(y) in T2, d(w) and e(w) in T3, f(w) in T4: a before c before b, d before f before e.
 * x and z are ordered by that. Nothing orders v after c and f, whatever simple barriers say.
 * expect: v
 * simple: none */
#include "threads.h"

int x, z, v, sum;
volatile int y, w;

OUTSIDE void m_give(volatile int *p, int turn) { *p = turn; }
OUTSIDE void m_take(volatile int *p, int turn) {
    while (*p < turn)
        ;
}

static void *one(void *unused) {
    x = 1;
    m_give(&y, 1);
    m_take(&y, 2);
    return unused;
}

static void *two(void *unused) {
    m_take(&y, 1);
    sum = x;
    m_give(&y, 2);
    v = 1;
    return unused;
}

static void *three(void *unused) {
    z = 1;
    m_give(&w, 1);
    m_take(&w, 2);
    return unused;
}

static void *four(void *unused) {
    m_take(&w, 1);
    v = z + 1;
    m_give(&w, 2);
    return unused;
}

int main(void) {
    run((void *(*const[])(void *)){one, two, three, four}, 4);
    return 0;
}
