/* SPDX-License-Identifier: Apache-2.0 */
/* Soundness 12: how much is copied, and from where, is as recorded or it is another access. T2 copies byte 3 only where
 * T1 has said that there are 4, which it does after it wrote it; and reads cell `at`, which is T1's no longer. */
#include "trap.h"

static char source[8], target[8];
static int length = ONLY_RACY(2 +) 2, at, cells[2];

static void T1(void) {
    source[3] = 1;
    set(&length, 4);
    cells[1] = 5;
    set(&at, 1);
}

static void T2(void) {
    int n = get(&length);
    memcpy(target, source, (size_t)n);
    int i = get(&at);
    printed = cells[i];
}
