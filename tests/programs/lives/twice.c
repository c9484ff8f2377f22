/* SPDX-License-Identifier: Apache-2.0 */
/* A block is freed by the last of two; in the twin by both. */
#include "../clean/trap.h"

static int *block, left = 2;

__attribute__((constructor)) static void begin(void) { block = malloc(100 * sizeof *block); }

static void leave(void) {
    pthread_mutex_lock(&m);
    int is_last = --left == 0;
    pthread_mutex_unlock(&m);
    ONLY_RACY(free(block); return;)
    if (is_last)
        free(block);
}

static void T1(void) { leave(); }

static void T2(void) { leave(); }
