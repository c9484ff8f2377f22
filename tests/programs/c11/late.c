/* SPDX-License-Identifier: Apache-2.0 */
/* Message passing, where the reader comes first: what was published is read in other runs alone. */
// clean: -DW=release -DR=acquire
// clean: -DW=release -DR=consume
// clean: -DW=seq_cst -DR=seq_cst
// later: 1 -DW=relaxed -DR=relaxed
// later: 1 -DW=relaxed -DR=acquire
// later: 1 -DW=release -DR=relaxed
// later: 1 -DW=seq_cst -DR=relaxed
#include "litmus.h"

static int data;
static atomic_int ready;

static void T1(void) {
    if (LOAD(ready, R))
        printf("%d\n", data);
}

static void T2(void) {
    data = 42;
    STORE(ready, 1, W);
}

static void T3(void) {}
