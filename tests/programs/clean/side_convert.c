/* SPDX-License-Identifier: Apache-2.0 */
/* record: rr
 * A side that was not taken: past a number that its integer can't hold nothing is defined. */
#include "trap.h"

static int mode;

static void T1(void) {
    v = 1;
    set(&mode, 1);
}

static void T2(void) {
    if (get(&mode))
        return;
    volatile double number = ONLY_RACY(1 ? 5 :) 1e30;
    set(&printed, (int)number);
    printed = v;
}
