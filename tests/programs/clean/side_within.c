/* SPDX-License-Identifier: Apache-2.0 */
/* record: rr
 * A side that was not taken: free() takes the beginning of a block, and nothing else. */
#include "trap.h"

static int mode;

static void T1(void) {
    v = 1;
    set(&mode, 1);
}

static void T2(void) {
    if (get(&mode))
        return;
    char *block = malloc(64);
    volatile int by = ONLY_RACY(-4 +) 4;
    free(block + by);
    printed = v;
}
