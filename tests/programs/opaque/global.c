/* SPDX-License-Identifier: Apache-2.0 */
/* Variables that the left out code names itself, and one that only an annotation tells of.
 * expect: none */
#include "threads.h"

#include <recipe/annotations.h>

int X, Z, seen;
volatile int Y;
static volatile long where;

OUTSIDE void m_set(void) { Y = 1; }
OUTSIDE void m_wait(void) {
    while (Y != 1)
        ;
}
OUTSIDE void m_put(long at) { *(volatile int *)(at ^ 0x5555) = 1; }
OUTSIDE void m_take(long at) {
    while (*(volatile int *)(at ^ 0x5555) != 1)
        ;
}

static volatile int hidden;

static void *first(void *unused) {
    X = 1;
    m_set();
    Z = 1;
    RECIPE_GLOBAL(hidden);
    m_put(where);
    return unused;
}

static void *second(void *unused) {
    m_wait();
    seen = X;
    RECIPE_GLOBAL(hidden);
    m_take(where);
    seen = Z;
    return unused;
}

int main(void) {
    where = (long)&hidden ^ 0x5555;
    run((void *(*const[])(void *)){first, second}, 2);
    return seen != 1;
}
