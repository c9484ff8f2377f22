/* SPDX-License-Identifier: Apache-2.0 */
/* record: rr
 * A side that was not taken: a block that is freed on it is freed, and past freeing it again nothing is defined. */
#include "trap.h"

static int mode;

static void T1(void) {
    v = 1;
    set(&mode, 1);
}

static void T2(void) {
    int *volatile block = malloc(64);
    if (!get(&mode) ONLY_RACY(&&!block))
        free(block);
    free(block);
    if (!get(&mode))
        printed = v;
}
