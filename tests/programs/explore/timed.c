/* SPDX-License-Identifier: Apache-2.0 */
/* races: 0 1 1
 * A lock with a deadline: T2 got it in time; where T1 keeps it for long it does not. */
#include "frame.h"

#include <time.h>

static void T1(void) {
    pthread_mutex_lock(&n);
    v = 1;
    pthread_mutex_unlock(&n);
}

static void T2(void) {
    struct timespec soon;
    clock_gettime(CLOCK_REALTIME, &soon);
    soon.tv_sec++;
    if (!pthread_mutex_timedlock(&n, &soon)) {
        pthread_mutex_unlock(&n);
        return;
    }
    printed = v;
}
