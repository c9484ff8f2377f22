/* SPDX-License-Identifier: Apache-2.0 */
/* record: rr
 * A side that was not taken: past a memcpy() of bytes onto others of them nothing is defined. */
#include "trap.h"

static int mode;

static void T1(void) {
    v = 1;
    set(&mode, 1);
}

static char text[64];

static void T2(void) {
    if (get(&mode))
        return;
    volatile int by = ONLY_RACY(16 +) 4;
    memcpy(text + 8 + by, text + 8, 16);
    printed = v;
}
