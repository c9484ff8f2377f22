/* SPDX-License-Identifier: Apache-2.0 */
/* What was in reach once stays so: m_keep remembers y, and the calls that use it are given nothing. Heap and stack likewise.
 * expect: none */
#include "threads.h"
#include <stdlib.h>

int X, seen;
static volatile int *kept;

OUTSIDE void m_keep(volatile int **box) { kept = *box; }
OUTSIDE void m_set(void) { *kept = 1; }
OUTSIDE void m_wait(void) {
    while (*kept != 1)
        ;
}

static void *first(void *unused) {
    X = 1;
    m_set();
    return unused;
}

static void *second(void *unused) {
    m_wait();
    seen = X;
    return unused;
}

int main(void) {
    volatile int *box = calloc(1, sizeof *box);
    m_keep(&box);
    run((void *(*const[])(void *)){first, second}, 2);
    return seen != 1;
}
