/* SPDX-License-Identifier: Apache-2.0 */
/* Left out code hands such code to the C library.
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
OUTSIDE void m_sort(void) {
    int numbers[2] = {1, 2};
    qsort(numbers, 2, sizeof *numbers, m_wait);
}

static void *first(void *unused) {
    X = 1;
    Y = 1;
    return unused;
}

static void *second(void *unused) {
    m_sort();
    seen = X;
    return unused;
}

int main(void) {
    run((void *(*const[])(void *)){first, second}, 2);
    return seen != 1;
}
