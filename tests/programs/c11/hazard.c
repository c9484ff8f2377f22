/* SPDX-License-Identifier: Apache-2.0 */
/* Hazard pointers. T1 publishes, T2 protects what it finds, looks again, reads it, and gives it up; T3 takes it away and frees it
 * once nobody protects it. Each order is weakened in turn; the second look need not acquire,
 * for the fence before it does for the first. (That the two fences are needed shows only in runs that are
 * not sequentially consistent: those are not covered.) What the block held before T1's store is not known, so that T2 can't be given
 * it; but the store may come late. Who frees reads nothing. */
// clean: -DPUT=release -DTAKE=acquire -DGIVE=release -DASK=acquire
// clean: -DPUT=release -DTAKE=relaxed -DGIVE=release -DASK=acquire
// late: 1 -DPUT=relaxed -DTAKE=acquire -DGIVE=release -DASK=acquire
// hidden: 1 -DPUT=release -DTAKE=acquire -DGIVE=relaxed -DASK=acquire
// hidden: 1 -DPUT=release -DTAKE=acquire -DGIVE=release -DASK=relaxed
#include "litmus.h"

static _Atomic(int *) shared, hazard;

static void T1(void) {
    int *it = malloc(sizeof *it);
    if (!it)
        return;
    *it = 42;
    STORE(shared, it, PUT);
}

static void T2(void) {
    int *it = LOAD(shared, relaxed);
    if (!it)
        return;
    STORE(hazard, it, relaxed);
    FENCE(seq_cst);
    if (LOAD(shared, TAKE) == it)
        printf("%d\n", *it);
    STORE(hazard, NULL, GIVE);
}

static void T3(void) {
    int *it = atomic_exchange_explicit(&shared, NULL, memory_order_acquire);
    FENCE(seq_cst);
    if (it && LOAD(hazard, ASK) != it)
        free(it);
}
