/* SPDX-License-Identifier: Apache-2.0 */
/* record: rr
 * Soundness 15: what traps, or is not defined, goes nowhere: a division by 0, a null pointer, a shift by too much. T2
 * gets past each only after T1. */
#include "trap.h"

static int divisor, by = 99, w, x, *pointer;

static void T1(void) {
    v = 1;
    set(&divisor, 2);
    w = 1;
    pthread_mutex_lock(&m);
    pointer = &printed;
    pthread_mutex_unlock(&m);
    x = 1;
    set(&by, 3);
    ONLY_RACY(x = 2;)
}

static void T2(void) {
    int quotient = 10 / get(&divisor);
    printed = v + quotient;
    pthread_mutex_lock(&m);
    int *target = pointer;
    pthread_mutex_unlock(&m);
    *target += 1;
    printed += w;
    int shifted = 1 << get(&by);
    printed += shifted;
    printed += x;
}
