/* SPDX-License-Identifier: Apache-2.0 */
/* T2 waits for what nobody does, until a deadline: it is not over before that. */
#include "hurry.h"

static pthread_cond_t never = PTHREAD_COND_INITIALIZER;

static void take_long(void) {
    struct timespec until = later(CLOCK_REALTIME, LONG);
    pthread_mutex_lock(&m);
    while (!pthread_cond_timedwait(&never, &m, &until)) {
    }
    pthread_mutex_unlock(&m);
}
