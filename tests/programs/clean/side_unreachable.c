/* SPDX-License-Identifier: Apache-2.0 */
/* record: rr
 * A side that was not taken: its author says that nobody comes there. */
#include "trap.h"

static int mode, there = ONLY_RACY(-1 +) 1;

static void T1(void) {
    v = 1;
    set(&mode, 1);
}

static void T2(void) {
    if (get(&mode))
        return;
    if (*(volatile int *)&there)
        __builtin_trap();
    printed = v;
}
