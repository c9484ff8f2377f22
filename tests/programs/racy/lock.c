/* SPDX-License-Identifier: Apache-2.0 */
/* The lock orders the accesses in this run; nothing keeps the reader from being first. */
#include "threads.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int data, turns;

static void *writer(void *unused) {
    data = 7;
    pthread_mutex_lock(&mutex);
    turns++;
    pthread_mutex_unlock(&mutex);
    return unused;
}

static void *reader(void *unused) {
    pthread_mutex_lock(&mutex);
    int seen = turns;
    pthread_mutex_unlock(&mutex);
    if (seen < 5)
        printf("%d\n", data);
    return unused;
}

int main(void) {
    run_both(writer, reader);
    return 0;
}
