/* SPDX-License-Identifier: Apache-2.0 */
/* record: rr
 * A side that was not taken: past a division by 0 nothing is defined. */
#include "trap.h"

static int mode, zero = ONLY_RACY(1 +) 0;

static void T1(void) {
    v = 1;
    set(&mode, 1);
}

static void T2(void) {
    if (get(&mode))
        return;
    int by = *(volatile int *)&zero, quotient = 7 / by;
    set(&printed, quotient);
    printed = v;
}
