/* SPDX-License-Identifier: Apache-2.0 */
/* record: rr
 * A side that was not taken: past an access out of an array's bounds nothing is defined. */
#include "trap.h"

static int mode, table[4], after[4], place = ONLY_RACY(-4 +) 6;

static void T1(void) {
    v = 1;
    after[0] = place;
    set(&mode, 1);
}

static void T2(void) {
    if (get(&mode))
        return;
    table[*(volatile int *)&place] = 1;
    printed = v;
}
