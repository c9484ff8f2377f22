/* SPDX-License-Identifier: Apache-2.0 */
/* record: rr
 * A side that was not taken: a loop that has no end. */
#include "trap.h"

static int mode, forever = ONLY_RACY(-1 +) 1;

static void T1(void) {
    v = 1;
    set(&mode, 1);
}

static void T2(void) {
    if (get(&mode))
        return;
    for (volatile int turns = 0; *(volatile int *)&forever; turns++)
        continue;
    printed = v;
}
