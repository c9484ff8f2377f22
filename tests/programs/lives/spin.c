/* SPDX-License-Identifier: Apache-2.0 */
/* A spin lock, destroyed by whoever was the last under it; in the twin by whoever comes. */
#include "../clean/trap.h"

static pthread_spinlock_t gone;
static int left = 2;

__attribute__((constructor)) static void begin(void) { pthread_spin_init(&gone, PTHREAD_PROCESS_PRIVATE); }

static void T1(void) {
    pthread_spin_lock(&gone);
    left--;
    pthread_spin_unlock(&gone);
}

static void T2(void) {
    pthread_spin_lock(&gone);
    int is_last = --left == 0;
    pthread_spin_unlock(&gone);
    ONLY_RACY(pthread_spin_destroy(&gone); return;)
    if (is_last)
        pthread_spin_destroy(&gone);
}
