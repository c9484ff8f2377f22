/* SPDX-License-Identifier: Apache-2.0 */
/* record: rr
 * A side that was not taken: calls that nest without an end. */
#include "trap.h"

static int mode;

static void T1(void) {
    v = 1;
    set(&mode, 1);
}

static int deep(int n) {
    volatile int here = n;
    ONLY_RACY(if (n == 5) return here;)
    return deep(n + 1) + here;
}

static void T2(void) {
    if (get(&mode))
        return;
    set(&printed, deep(1));
    printed = v;
}
