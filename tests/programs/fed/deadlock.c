/* SPDX-License-Identifier: Apache-2.0 */
/* Where the reader comes first it waits for a signal that nobody sends: a replay of that order is over at once. */
#include <pthread.h>
#include <stdio.h>

static volatile int x; /* racy */
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;

static void *set(void *argument) {
    x = 1;
    return argument;
}

static void *look(void *argument) {
    if (!x) {
        pthread_mutex_lock(&m);
        for (;;)
            pthread_cond_wait(&c, &m);
    }
    return argument;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, set, NULL);
    pthread_create(&threads[1], NULL, look, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    puts("ended");
    return 0;
}
