/* SPDX-License-Identifier: Apache-2.0 */
/* record: rr
 * A side that was not taken: past a null pointer nothing comes. */
#include "trap.h"

static int mode, *nowhere = ONLY_RACY(1 ? &v :) NULL;

static void T1(void) {
    v = 1;
    set(&mode, 1);
}

static void T2(void) {
    if (get(&mode))
        return;
    *(volatile int *)nowhere = 0;
    printed = v;
}
