/* SPDX-License-Identifier: Apache-2.0 */
/* Two messages, written and read at the same places: what cures the race cures it of both, or is no cure. */
// clean: -DW1=release -DR1=acquire -DW2=release -DR2=acquire
// racy: 1 -DW1=relaxed -DR1=relaxed -DW2=release -DR2=acquire
// racy: 1 -DW1=release -DR1=acquire -DW2=relaxed -DR2=acquire
// racy: 1 -DW1=relaxed -DR1=relaxed -DW2=relaxed -DR2=relaxed
#include "litmus.h"

static int one, two;
static atomic_int ready, again;

static void put(int *where, int value) { *where = value; }
static int get(const int *where) { return *where; }

static void T1(void) {
    put(&one, 42);
    STORE(ready, 1, W1);
}

static void T2(void) {
    if (LOAD(ready, R1))
        printf("%d\n", get(&one));
    put(&two, 43);
    STORE(again, 1, W2);
}

static void T3(void) {
    if (LOAD(again, R2))
        printf("%d\n", get(&two));
}
