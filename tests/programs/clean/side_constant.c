/* SPDX-License-Identifier: Apache-2.0 */
/* record: rr
 * A side that was not taken: a constant can't be written. */
#include "trap.h"

static int mode;

static void T1(void) {
    v = 1;
    set(&mode, 1);
}

static const int fixed = 3;
static int variable;

static void T2(void) {
    if (get(&mode))
        return;
    const int *at = ONLY_RACY(1 ? &variable :) & fixed;
    (void)variable;
    *(volatile int *)at = 7;
    printed = v;
}
