/* SPDX-License-Identifier: Apache-2.0 */
/* Fences of both kinds, with each other and with atomics. BEFORE is a fence before the store, AFTER one after the load;
 * LATE comes too late, EARLY too early. */
// clean: -DBEFORE=release -DAFTER=acquire
// clean: -DBEFORE=seq_cst -DAFTER=seq_cst
// clean: -DBEFORE=acq_rel -DAFTER=acq_rel
// clean: -DBEFORE=release -DR=acquire
// clean: -DW=release -DAFTER=acquire
// clean: -DW=release -DAFTER=consume
// racy: 1 -DBEFORE=acquire -DAFTER=acquire
// racy: 1 -DBEFORE=release -DAFTER=release
// racy: 1 -DBEFORE=release
// racy: 1 -DAFTER=acquire
// racy: 1 -DLATE=seq_cst -DAFTER=seq_cst
// racy: 1 -DBEFORE=seq_cst -DEARLY=seq_cst
// clean: -DBEFORE=release -DR=relaxed -DAFTER=acquire -DRMW
#include "litmus.h"
#ifndef W
#define W relaxed
#endif
#ifndef R
#define R relaxed
#endif

static int data;
static atomic_int ready;

static void T1(void) {
    data = 42;
#ifdef BEFORE
    FENCE(BEFORE);
#endif
    STORE(ready, 1, W);
#ifdef LATE
    FENCE(LATE);
#endif
}

static void T2(void) {
#ifdef RMW
    atomic_fetch_or_explicit(&ready, 2, memory_order_relaxed);
#endif
}

static void T3(void) {
#ifdef EARLY
    FENCE(EARLY);
#endif
    int seen = LOAD(ready, R);
#ifdef AFTER
    FENCE(AFTER);
#endif
    if (seen & 1)
        printf("%d\n", data);
}
