/* SPDX-License-Identifier: Apache-2.0 */
/* races: 0 4 4
 * Seed 000, Figure 7 (mergesort): how many threads may still be started is read under one lock, and counted under
 * another, each thread's own. T1 takes both entries, so T2 finds none; had it come in between it would have found one,
 * and counted while T3 looks. */
#define THREE
#include "frame.h"

static int alive = 3, total = 5;
static pthread_mutex_t available_lock = PTHREAD_MUTEX_INITIALIZER;

static int available(void) {
    pthread_mutex_lock(&available_lock);
    int left = total - alive;
    pthread_mutex_unlock(&available_lock);
    return left;
}

static void count(pthread_mutex_t *own) {
    pthread_mutex_lock(own);
    pthread_mutex_lock(&available_lock);
    alive++;
    pthread_mutex_unlock(&available_lock);
    pthread_mutex_unlock(own);
}

static void T1(void) {
    count(&m);
    count(&m);
}

static void T2(void) {
    int y = available();
    if (y == 0) {
        printed = 1;
    } else if (y == 1) {
        pthread_mutex_lock(&n); /* not the lock that readers hold */
        alive++;
        pthread_mutex_unlock(&n);
    } else {
        printed = 2;
    }
}

static void T3(void) { v = available(); }
