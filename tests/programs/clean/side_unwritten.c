/* SPDX-License-Identifier: Apache-2.0 */
/* record: rr
 * A side that was not taken: what malloc() gives out holds nothing that a branch may rely on. */
#include "trap.h"

static int mode;

static void T1(void) {
    v = 1;
    set(&mode, 1);
}

static void T2(void) {
    if (get(&mode))
        return;
    int *block = malloc(64);
    ONLY_RACY(block[8] = 0;)
    if (!block[8])
        printed = v;
    free(block);
}
