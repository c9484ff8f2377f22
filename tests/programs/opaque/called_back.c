/* SPDX-License-Identifier: Apache-2.0 */
/* The C library calls back code that is left out.
 * expect: none */
#include "threads.h"
#include <stdlib.h>

int X, seen;
volatile int Y;

OUTSIDE int m_wait(const void *a, const void *b) {
    while (Y != 1)
        ;
    return a < b;
}

static void *first(void *unused) {
    X = 1;
    Y = 1;
    return unused;
}

static void *second(void *unused) {
    int numbers[2] = {1, 2};
    qsort(numbers, 2, sizeof *numbers, m_wait);
    seen = X;
    return unused;
}

int main(void) {
    run((void *(*const[])(void *)){first, second}, 2);
    return seen != 1;
}
