/* SPDX-License-Identifier: Apache-2.0 */
/* Whoever has woken all that slept on a condition may destroy it, though none of them has the mutex yet (POSIX). In the
 * twin somebody may come to sleep on it still.
 * report: destroy cond */
#include "../clean/trap.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t gone = PTHREAD_COND_INITIALIZER;
static int is_over, sleepers;

static void T1(void) {
    pthread_mutex_lock(&lock);
    sleepers++;
    while (!is_over ONLY_RACY(&&!printed))
        pthread_cond_wait(&gone, &lock);
    ONLY_RACY(pthread_cond_signal(&gone);)
    pthread_mutex_unlock(&lock);
}

static void T2(void) {
    pthread_mutex_lock(&lock);
    int is_slept_on = sleepers;
    is_over = 1;
    pthread_cond_broadcast(&gone);
    pthread_mutex_unlock(&lock);
    if (is_slept_on)
        pthread_cond_destroy(&gone);
}
