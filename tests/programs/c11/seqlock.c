/* SPDX-License-Identifier: Apache-2.0 */
/* A seqlock. With atomic data (H.-J. Boehm: Can seqlocks get along with programming language memory models?) it is right
 * whatever the readers see; so is one of plain data that nobody reads meanwhile, if the counter releases and acquires. */
// clean: -DDATA=_Atomic -DEND=release -DBEGIN=acquire
// clean: -DDATA=_Atomic -DEND=relaxed -DBEGIN=relaxed
// racy: 2 -DDATA= -DEND=relaxed -DBEGIN=acquire
// racy: 2 -DDATA= -DEND=release -DBEGIN=relaxed
#include "litmus.h"

static DATA int a, b;
static atomic_uint count;

static void T1(void) {
    unsigned at = LOAD(count, relaxed);
    STORE(count, at + 1, relaxed);
    FENCE(acquire);
    a = 1;
    b = 2;
    STORE(count, at + 2, END);
}

static void T2(void) {
    unsigned before = LOAD(count, BEGIN);
    if (before != 2)
        return;
    int x = a, y = b;
    if (LOAD(count, relaxed) == before)
        printf("%d %d\n", x, y);
}

static void T3(void) {}
