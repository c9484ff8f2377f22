/* SPDX-License-Identifier: Apache-2.0 */
/* Figure 3(c): m_f reaches y and w, so what is before c comes before what is after e, though c and e share nothing.
 * expect: none */
#include "threads.h"

int x, seen;
volatile int y, w;

OUTSIDE void m_c(volatile int *p) { *p = 1; }
OUTSIDE void m_f(volatile int *p, volatile int *q) {
    while (*p != 1)
        ;
    *q = 1;
}
OUTSIDE void m_e(volatile int *q) {
    while (*q != 1)
        ;
}

static void *two(void *unused) {
    x = 1;
    m_c(&y);
    return unused;
}

static void *four(void *unused) {
    m_f(&y, &w);
    return unused;
}

static void *three(void *unused) {
    m_e(&w);
    seen = x;
    return unused;
}

int main(void) {
    run((void *(*const[])(void *)){two, four, three}, 3);
    return seen != 1;
}
