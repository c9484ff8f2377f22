/* SPDX-License-Identifier: Apache-2.0 */
/* record: rr
 * A side that was not taken: no allocator puts a block there. */
#include "trap.h"

#include <stdint.h>

static int mode;

static void T1(void) {
    v = 1;
    set(&mode, 1);
}

static void T2(void) {
    if (get(&mode))
        return;
    char *block = malloc(64);
    if (ONLY_RACY(block ||)(uintptr_t) block >> 45 & 1)
        printed = v;
    free(block);
}
