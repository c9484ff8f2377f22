/* SPDX-License-Identifier: Apache-2.0 */
/* Soundness 8: a read-modify-write is one step: of two that add 1, one finds 1, and it is the second. The first wrote v
 * before. The additions acquire and release: with relaxed ones the language orders nothing here (tests/programs/c11). */
#include "trap.h"

#include <stdatomic.h>

static atomic_int count;
static int w;

static void take(int *own, const int *other) {
    *own = 1;
    if (atomic_fetch_add_explicit(&count, 1, memory_order_acq_rel) == 1 ONLY_RACY(|| 1))
        printed += *other;
}

static void T1(void) { take(&v, &w); }
static void T2(void) { take(&w, &v); }
