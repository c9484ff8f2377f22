/* SPDX-License-Identifier: Apache-2.0 */
/* Left out code calls back with a struct by value, which is passed in memory: the way that the callback takes is what
 * the struct says.
 * expect: Y */
#include "threads.h"

struct many {
    long words[8];
    int *at;
};

int X, Y;

OUTSIDE void m_give(void (*back)(struct many), int *at, long which) {
    struct many m = {.words[5] = which, .at = at};
    back(m);
}

static void put(struct many m) {
    if (m.words[5] == 2)
        *m.at = 1;
    else
        X = 1;
}

static void *first(void *unused) {
    m_give(put, &Y, 2);
    return unused;
}

static void *second(void *unused) {
    X = 2;
    Y = 2;
    return unused;
}

int main(void) {
    run((void *(*const[])(void *)){first, second}, 2);
    return Y != 2;
}
