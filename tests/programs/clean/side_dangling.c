/* SPDX-License-Identifier: Apache-2.0 */
/* record: rr
 * A side that was not taken: past an access to what a function had, that has returned, nothing is defined. */
#include "trap.h"

static int mode;

static void T1(void) {
    v = 1;
    set(&mode, 1);
}

static int *volatile at, variable;

__attribute__((noinline)) static void leave(void) {
    volatile int local = 3;
    at = (int *)&local;
}

static void T2(void) {
    if (get(&mode))
        return;
    leave();
    ONLY_RACY(at = &variable;)
    (void)variable;
    *at = 4;
    printed = v;
}
