/* SPDX-License-Identifier: Apache-2.0 */
/* record: rr
 * A side that was not taken: past a signed sum that overflows nothing is defined. */
#include "trap.h"

static int mode;

static void T1(void) {
    v = 1;
    set(&mode, 1);
}

static void T2(void) {
    if (get(&mode))
        return;
    volatile int large = 2147483647 ONLY_RACY(-5);
    set(&printed, large + 1);
    printed = v;
}
