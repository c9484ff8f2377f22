/* SPDX-License-Identifier: Apache-2.0 */
/* The waiter sleeps until it is told; then both go on and touch what nobody guards. */
#include "threads.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int ready, sum;

static void *waiter(void *unused) {
    pthread_mutex_lock(&mutex);
    while (!ready)
        pthread_cond_wait(&changed, &mutex);
    pthread_mutex_unlock(&mutex);
    sum += 1;
    return unused;
}

static void *teller(void *unused) {
    pthread_mutex_lock(&mutex);
    ready = 1;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&mutex);
    sum += 2;
    return unused;
}

int main(void) {
    run_both(waiter, teller);
    printf("%d\n", sum);
    return 0;
}
