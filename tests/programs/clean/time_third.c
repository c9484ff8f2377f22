/* SPDX-License-Identifier: Apache-2.0 */
/* T1 hands on its token, and another thread looks at the clock: whose readings they are does not matter. */
#define OWN_T1
#define OWN_T4
#include "hurry.h"

static sem_t handed;
static long began;

__attribute__((constructor)) static void prepare(void) { sem_init(&handed, 0, 0); }

static void T1(void) {
    began = now();
    sem_post(&begun);
    sem_wait(&token);
    sem_post(&handed);
}

static void *fourth(void *unused) {
    sem_wait(&handed);
    if (IS_IN_TIME(began))
        v = 1;
    return unused;
}

static void take_long(void) {
    struct timespec t = {0, LONG};
    clock_nanosleep(CLOCK_MONOTONIC, 0, &t, NULL);
}
