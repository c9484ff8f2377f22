/* SPDX-License-Identifier: Apache-2.0 */
/* A block is freed that nobody had touched. The twin touches it then. */
#include "../clean/trap.h"

enum { MANY = 1 << 20 };
static char *volatile block;
static int is_freed;

__attribute__((constructor)) static void begin(void) { block = malloc(2 * MANY); }

static void T1(void) {
    free(block);
#ifndef RACY
    set(&is_freed, 1);
#endif
}

static void T2(void) {
    ONLY_RACY(block[MANY] = 1; return;)
    if (!get(&is_freed))
        block[MANY] = 1;
}
