/* SPDX-License-Identifier: Apache-2.0 */
/* races: 0 1 1
 * A semaphore and a lock of readers and writers, both with a deadline by a clock of its own: T2 got them in time; where T1
 * keeps the lock for long it does not. */
#define _GNU_SOURCE
#include "frame.h"

#include <semaphore.h>
#include <time.h>

static pthread_rwlock_t readers = PTHREAD_RWLOCK_INITIALIZER;

static sem_t full;

static void T1(void) {
    sem_init(&full, 0, 1);
    pthread_rwlock_wrlock(&readers);
    v = 1;
    pthread_rwlock_unlock(&readers);
}

static void T2(void) {
    struct timespec soon;
    clock_gettime(CLOCK_MONOTONIC, &soon);
    soon.tv_sec++;
    if (!pthread_rwlock_clockrdlock(&readers, CLOCK_MONOTONIC, &soon)) {
        pthread_rwlock_unlock(&readers);
        return;
    }
    if (!sem_clockwait(&full, CLOCK_MONOTONIC, &soon))
        printed = v;
}
