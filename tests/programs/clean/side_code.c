/* SPDX-License-Identifier: Apache-2.0 */
/* record: rr
 * A side that was not taken: functions can't be written. */
#include "trap.h"

static int mode;

static void T1(void) {
    v = 1;
    set(&mode, 1);
}

static int variable;

static void T2(void) {
    if (get(&mode))
        return;
    volatile int *at = ONLY_RACY(1 ? &variable :)(int *)(void *)T1;
    (void)variable;
    *at = 7;
    printed = v;
}
