/* SPDX-License-Identifier: Apache-2.0 */
/* record: rr
 * A side that was not taken: past an access out of a block's bounds nothing is defined, whatever lies there. */
#include "trap.h"

static int mode, *one, *two;

static void T1(void) {
    v = 1;
    two[0] = 1;
    set(&mode, 1);
}

static void T2(void) {
    if (get(&mode))
        return;
    one[ONLY_RACY(0 *)(two - one)] = 2;
    printed = v;
}

__attribute__((constructor)) static void make(void) {
    one = calloc(4, sizeof *one);
    two = calloc(4, sizeof *two);
}
