/* SPDX-License-Identifier: Apache-2.0 */
/* A block grows under a lock. The twin's reader has no lock, and reads where it was. */
#include "../clean/trap.h"

static int *block;

__attribute__((constructor)) static void begin(void) {
    block = malloc(4 * sizeof *block);
    block[0] = 1;
}

static void T1(void) {
    ONLY_RACY(printed = block[0]; return;)
    pthread_mutex_lock(&m);
    printed = block[0];
    pthread_mutex_unlock(&m);
}

static void T2(void) {
#ifndef RACY
    pthread_mutex_lock(&m);
#endif
    int *grown = realloc(block, 4000 * sizeof *block);
    ONLY_RACY(free(grown); return;)
    block = grown;
    pthread_mutex_unlock(&m);
}
