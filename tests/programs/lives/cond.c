/* SPDX-License-Identifier: Apache-2.0 */
/* A condition that is signalled under the lock may be destroyed by whoever holds that next. The twin signals when it has
 * unlocked. */
#include "../clean/trap.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t gone = PTHREAD_COND_INITIALIZER;
static int is_there;

static void T1(void) {
    pthread_mutex_lock(&lock);
    is_there = 1;
#ifndef RACY
    pthread_cond_signal(&gone);
#endif
    pthread_mutex_unlock(&lock);
    ONLY_RACY(pthread_cond_signal(&gone);)
}

static void T2(void) {
    pthread_mutex_lock(&lock);
    while (!is_there)
        pthread_cond_wait(&gone, &lock);
    pthread_mutex_unlock(&lock);
    pthread_cond_destroy(&gone);
}
