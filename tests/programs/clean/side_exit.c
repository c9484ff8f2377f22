/* SPDX-License-Identifier: Apache-2.0 */
/* A side that was not taken: it ends the thread, or the process. */
#include "trap.h"

static int mode, ends = ONLY_RACY(-1 +) 1;

static void T1(void) {
    v = 1;
    set(&mode, 1);
}

static void T2(void) {
    if (get(&mode))
        return;
    if (*(volatile int *)&ends)
        pthread_exit(NULL);
    printed = v;
}
