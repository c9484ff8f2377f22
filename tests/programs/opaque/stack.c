/* SPDX-License-Identifier: Apache-2.0 */
/* Left out code sets a flag that lies on a stack; who looks at it is recorded. Before it is set nobody gets past the look, in
 * whatever order.
 * expect: none */
#include "threads.h"

struct box {
    volatile int ready;
    int rest[5];
};
static struct box *where;
int X, seen;

OUTSIDE void m_set(void) { __atomic_store_n(&where->ready, 1, __ATOMIC_RELEASE); }

static void *first(void *unused) {
    X = 1;
    m_set();
    return unused;
}

static void *second(void *unused) {
    while (!__atomic_load_n(&where->ready, __ATOMIC_ACQUIRE))
        ;
    seen = X;
    return unused;
}

int main(void) {
    struct box box = {0};
    where = &box;
    run((void *(*const[])(void *)){first, second}, 2);
    return seen != 1;
}
