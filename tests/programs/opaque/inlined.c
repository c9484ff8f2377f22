/* SPDX-License-Identifier: Apache-2.0 */
/* Left out code and recorded code that call each other, and that an optimiser would make one function of: the callback within a callback is
 * called by no frame of its own, and must not be taken for one that came after the outer one was left.
 * expect: X
 * options: -O2 */
#include "threads.h"

int X;
static int turns;

static int inner(int n) { return n + turns; }
static int m_between(int n) { return inner(n) + inner(n + 1); }
static int m_by_pointer(int (*of)(int), int n) { return of(n); }
static int outer(int n) { return m_between(n) + m_by_pointer(inner, n); }
OUTSIDE int m_outermost(int n) { return outer(n) + outer(n + 2); }

static void *first(void *unused) {
    X = m_outermost(1) > 0;
    return unused;
}

static void *second(void *unused) {
    X = m_outermost(2) > 0;
    return unused;
}

int main(void) {
    run((void *(*const[])(void *)){first, second}, 2);
    return X != 1;
}
