/* SPDX-License-Identifier: Apache-2.0 */
/* Message passing, with every order. */
// clean: -DW=release -DR=acquire
// clean: -DW=release -DR=consume
// clean: -DW=release -DR=seq_cst
// clean: -DW=seq_cst -DR=acquire
// clean: -DW=seq_cst -DR=seq_cst
// racy: 1 -DW=relaxed -DR=relaxed
// racy: 1 -DW=relaxed -DR=acquire
// racy: 1 -DW=relaxed -DR=seq_cst
// racy: 1 -DW=release -DR=relaxed
// racy: 1 -DW=seq_cst -DR=relaxed
#include "litmus.h"

static int data;
static atomic_int ready;

static void T1(void) {
    data = 42;
    STORE(ready, 1, W);
}

static void T2(void) {
    if (LOAD(ready, R))
        printf("%d\n", data);
}

static void T3(void) {}
