/* SPDX-License-Identifier: Apache-2.0 */
/* m_link leaves a pointer in what it is given, unseen: from then on both lead to the same. Seed 004's optimisation looks once
 * where an object leads, and finds a race that is none.
 * expect: none
 * trees: X */
#include "threads.h"

struct link {
    volatile int *to;
};
int X, seen;
static struct link one, two;
static volatile int flag;

OUTSIDE void m_link(struct link *link, volatile int *to) { link->to = to; }
OUTSIDE void m_set(struct link *link) { *link->to = 1; }
OUTSIDE void m_wait(struct link *link) {
    while (*link->to != 1)
        ;
}

static void *first(void *unused) {
    X = 1;
    m_set(&one);
    return unused;
}

static void *second(void *unused) {
    m_wait(&two);
    seen = X;
    return unused;
}

int main(void) {
    m_link(&one, &flag);
    m_link(&two, &flag);
    run((void *(*const[])(void *)){first, second}, 2);
    return seen != 1;
}
