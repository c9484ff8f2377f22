/* SPDX-License-Identifier: Apache-2.0 */
/* Release sequences. What follows the release: the same thread's relaxed store (which goes on with it by C11 and C++17), another
 * one's read-modify-write (which always does), another one's store (which ends it). */
// clean: -DSAME -DW=release -DR=acquire
// clean: -DRMW=relaxed -DW=release -DR=acquire
// clean: -DRMW=relaxed -DSAME -DW=release -DR=acquire
// clean: -DRMW=acq_rel -DW=release -DR=acquire
// clean: -DOTHER=acquire -DAGAIN=release -DW=release -DR=acquire
// racy: 1 -DOTHER=acquire -DAGAIN=relaxed -DW=release -DR=acquire
// racy: 1 -DOTHER=relaxed -DAGAIN=release -DW=release -DR=acquire
// racy: 1 -DRMW=relaxed -DW=relaxed -DR=acquire
// racy: 1 -DRMW=relaxed -DW=release -DR=relaxed
// racy: 1 -DRMW=release -DW=relaxed -DR=acquire
#include "litmus.h"

static int data;
static atomic_int step;

static void T1(void) {
    data = 42;
    STORE(step, 1, W);
#ifdef SAME
    STORE(step, 2, relaxed);
#endif
}

static void T2(void) {
#ifdef RMW
    int seen = LOAD(step, relaxed);
    if (seen)
        atomic_fetch_add_explicit(&step, 4, ORDER(RMW));
#elif defined OTHER
    if (LOAD(step, OTHER))
        STORE(step, 4, AGAIN);
#endif
}

static void T3(void) {
    int seen = LOAD(step, R);
#ifdef SAME
    seen = (seen & 3) == 2; /* the last of T1's */
#else
    seen &= 4;
#endif
    if (seen)
        printf("%d\n", data);
}
