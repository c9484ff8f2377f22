/* SPDX-License-Identifier: Apache-2.0 */
/* Figure 3(a): m_a sets y and waits until m_d, which waits for that, has cleared it: the calls overlap in time. x is read before
 * m_a and written after m_d, u the other way round.
 * expect: none */
#include "threads.h"

int x, u, seen;
volatile int y;

OUTSIDE void m_a(volatile int *p) {
    *p = 1;
    while (*p != 0)
        ;
}
OUTSIDE void m_d(volatile int *p) {
    while (*p != 1)
        ;
    *p = 0;
}

static void *one(void *unused) {
    seen = x;
    m_a(&y);
    seen += u;
    return unused;
}

static void *three(void *unused) {
    u = 1;
    m_d(&y);
    x = 1;
    return unused;
}

int main(void) {
    run((void *(*const[])(void *)){one, three}, 2);
    return seen != 1;
}
