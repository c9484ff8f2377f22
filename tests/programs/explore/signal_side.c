/* SPDX-License-Identifier: Apache-2.0 */
/* races: 0 3 3
 * A side with conditions: T2 would have told T3, which waits; both then count, which is a read and a write. */
#define THREE
#include "frame.h"

static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int mode, ready, count;

static void T1(void) { set(&mode, 1); }

static void T2(void) {
    if (get(&mode))
        return;
    pthread_mutex_lock(&m);
    ready = 1;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    count++;
}

static void T3(void) {
    pthread_mutex_lock(&m);
    while (!ready && !mode)
        pthread_cond_wait(&c, &m);
    pthread_mutex_unlock(&m);
    if (get(&ready))
        count++;
}
