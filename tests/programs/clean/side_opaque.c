/* SPDX-License-Identifier: Apache-2.0 */
/* A side that was not taken: what a function outside answers that was never called there, nobody knows. */
#include "trap.h"

static int mode;

static void T1(void) {
    v = 1;
    set(&mode, 1);
}

static void T2(void) {
    if (get(&mode))
        return;
    ONLY_RACY(printed = v;)
    if (strtol("0", NULL, 10))
        printed = v;
}
