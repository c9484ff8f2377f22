/* SPDX-License-Identifier: Apache-2.0 */
/* A wait that ends by the clock, then a race: a replay must end the wait where the schedule says so. */
#include "threads.h"

#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
static int late, count;

static void *patient(void *unused) {
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += 5000000;
    if (until.tv_nsec >= 1000000000) {
        until.tv_nsec -= 1000000000;
        until.tv_sec++;
    }
    pthread_mutex_lock(&mutex);
    while (!late)
        late = pthread_cond_timedwait(&never, &mutex, &until) != 0;
    pthread_mutex_unlock(&mutex);
    count++;
    return unused;
}

static void *other(void *unused) {
    count++;
    return unused;
}

int main(void) {
    run_both(patient, other);
    printf("%d\n", count);
    return 0;
}
