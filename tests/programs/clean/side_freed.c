/* SPDX-License-Identifier: Apache-2.0 */
/* record: rr
 * A side that was not taken: past an access to what was freed nothing is defined. */
#include "trap.h"

static int mode;

static void T1(void) {
    v = 1;
    set(&mode, 1);
}

static void T2(void) {
    int *volatile block = malloc(64);
    block[8] = 3;
    ONLY_RACY(if (!block))
    free(block);
    if (get(&mode))
        return;
    block[8] = 4;
    printed = v;
}
