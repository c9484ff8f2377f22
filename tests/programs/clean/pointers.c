/* SPDX-License-Identifier: Apache-2.0 */
/* Soundness 13: a pointer's number decides. T2 reads v where the pointer is T1's block, and it is that only after v. */
#include "trap.h"

#include <stdint.h>

static void *shown;

static void T1(void) {
    void *block = malloc(16);
    ONLY_RACY(shown = block;)
    v = 1;
    pthread_mutex_lock(&m);
    shown = block;
    pthread_mutex_unlock(&m);
}

static void T2(void) {
    pthread_mutex_lock(&m);
    uintptr_t number = (uintptr_t)shown;
    pthread_mutex_unlock(&m);
    if (number * UINT64_C(0x9e3779b97f4a7c15) >> 32)
        printed = v;
}
