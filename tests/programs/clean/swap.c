/* SPDX-License-Identifier: Apache-2.0 */
/* Soundness 8: a compare-and-swap succeeds where the value is there. T2's does only after T1's, which comes after v.
 * They acquire and release: with relaxed ones the language orders nothing here (tests/programs/c11). */
#include "trap.h"

#include <stdatomic.h>

static atomic_int state = ONLY_RACY(1 +) 0;

static void T1(void) {
    v = 1;
    int expected = 0;
    atomic_compare_exchange_strong_explicit(&state, &expected, 1, memory_order_acq_rel, memory_order_relaxed);
}

static void T2(void) {
    int expected = 1;
    if (atomic_compare_exchange_strong_explicit(&state, &expected, 2, memory_order_acq_rel, memory_order_relaxed))
        printed = v;
}
