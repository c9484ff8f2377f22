/* SPDX-License-Identifier: Apache-2.0 */
/* A pointer in disguise: nothing says that m_set and m_wait reach Y, but that Y has changed when main looks. So they are taken to reach
 * everything, and the report says so.
 * expect: none
 * says: calls of 'm_set' are taken to be ordered with all others */
#include "threads.h"

#define DISGUISE 0x5a5a5a5a5a5a5a5aul

int X, Y, seen;

OUTSIDE void m_set(unsigned long to) { *(volatile int *)(to ^ DISGUISE) = 1; }
OUTSIDE void m_wait(unsigned long to) {
    while (*(volatile int *)(to ^ DISGUISE) != 1)
        ;
}

static void *first(void *unused) {
    X = 1;
    m_set((unsigned long)&Y ^ DISGUISE);
    return unused;
}

static void *second(void *unused) {
    m_wait((unsigned long)&Y ^ DISGUISE);
    seen = X;
    return unused;
}

int main(void) {
    Y = 0;
    run((void *(*const[])(void *)){first, second}, 2);
    return seen != Y;
}
