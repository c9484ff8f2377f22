/* SPDX-License-Identifier: Apache-2.0 */
/* record: rr
 * A side that was not taken: what a local variable holds that nobody has written, no branch may rely on. */
#include "trap.h"

static int mode;

static void T1(void) {
    v = 1;
    set(&mode, 1);
}

__attribute__((noinline)) static void fill(int *local) {
    (void)local;
    ONLY_RACY(*local = 0;)
}

static void T2(void) {
    if (get(&mode))
        return;
    int local;
    fill(&local);
    if (!*(volatile int *)&local)
        printed = v;
}
