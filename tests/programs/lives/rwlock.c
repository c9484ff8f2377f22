/* SPDX-License-Identifier: Apache-2.0 */
/* Whoever has seen, as a writer, that no reader will come any more may destroy the lock. The twin does not ask. */
#include "../clean/trap.h"

static pthread_rwlock_t gone = PTHREAD_RWLOCK_INITIALIZER;
static int is_over;

static void T1(void) {
    pthread_rwlock_wrlock(&gone);
    is_over = 1;
    pthread_rwlock_unlock(&gone);
}

static void T2(void) {
    pthread_rwlock_rdlock(&gone);
    int was_over = is_over;
    pthread_rwlock_unlock(&gone);
    ONLY_RACY(pthread_rwlock_destroy(&gone); return;)
    if (was_over)
        pthread_rwlock_destroy(&gone);
}
