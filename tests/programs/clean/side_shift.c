/* SPDX-License-Identifier: Apache-2.0 */
/* record: rr
 * A side that was not taken: past a shift by too much nothing is defined. */
#include "trap.h"

static int mode;

static void T1(void) {
    v = 1;
    set(&mode, 1);
}

static void T2(void) {
    if (get(&mode))
        return;
    volatile int by = ONLY_RACY(-30 +) 40;
    set(&printed, 1 << by);
    printed = v;
}
