/* SPDX-License-Identifier: Apache-2.0 */
/* In this run the second thread starts when the first has ended: the first one's lock hides what it wrote before it. */
#include "threads.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int log_size, entries[4], done;

static void *early(void *unused) {
    entries[log_size] = 1;
    log_size = 1;
    pthread_mutex_lock(&mutex);
    done = 1;
    pthread_mutex_unlock(&mutex);
    return unused;
}

static void *late(void *unused) {
    pthread_mutex_lock(&mutex);
    int ended = done;
    pthread_mutex_unlock(&mutex);
    printf("%d %d\n", ended, log_size);
    return unused;
}

int main(void) {
    run_both(early, late);
    return 0;
}
