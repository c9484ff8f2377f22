/* SPDX-License-Identifier: Apache-2.0 */
/* Soundness 8: a compare-and-swap that fails writes nothing. T2 reads after its own store, and then T1's fails. */
#include "trap.h"

static void T1(void) {
    int expected = ONLY_RACY(2 +) 0;
    __atomic_compare_exchange_n(&v, &expected, 1, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}

static void T2(void) {
    __atomic_store_n(&v, 2, __ATOMIC_RELAXED);
    printed = v;
}
