/* SPDX-License-Identifier: Apache-2.0 */
/* Left out code that computes on the arrays that it is given, and looks at no pointer beside them: called by a pointer,
 * as programs choose among such functions.
 * expect: X
 * simple: none */
#include "threads.h"

struct state {
    int data[64];
    struct state *other;
};

int X;
static struct state one, two;

OUTSIDE void m_add(int *to, const int *from, int n) {
    for (int i = 0; i < n; i++)
        to[i] += from[i];
}

static void (*volatile add)(int *, const int *, int) = m_add;

static void *first(void *unused) {
    X = 1;
    add(one.data, one.data + 8, 8);
    return unused;
}

static void *second(void *unused) {
    add(two.data, two.data + 8, 8);
    X = 2;
    return unused;
}

int main(void) {
    one.other = &two;
    two.other = &one;
    run((void *(*const[])(void *)){first, second}, 2);
    return X != 2;
}
