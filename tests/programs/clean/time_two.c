/* SPDX-License-Identifier: Apache-2.0 */
/* Two sleeps at once are in time, one after the other they are not. T3 lets T2 begin to sleep, and T4 does so, too, once
 * it has slept itself. */
#define OWN_T1
#define OWN_T3
#define OWN_T4
#include "hurry.h"

static void pause_for(long nanoseconds) {
    struct timespec t = {0, nanoseconds};
    nanosleep(&t, NULL);
}

static void take_long(void) { pause_for(SOON / 10 * 7); }

static void T1(void) {
    long began = now();
    sem_wait(&token);
    if (IS_IN_TIME(began))
        v = 1;
}

static void *third(void *unused) {
    v = 2;
    sem_post(&begun);
    return unused;
}

static void *fourth(void *unused) {
    pause_for(SOON / 10 * 4);
    sem_post(&begun);
    return unused;
}
