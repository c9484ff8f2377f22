// SPDX-License-Identifier: Apache-2.0
// bsearch() compares by a function of the C library, so nobody records what is read: who finds the key under the lock comes after
// who put it there. The twin's reader searches, and does not look at what it is told.
// twin: data
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

static int data;
static char words[3][4] = {"1", "2", "3"};
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *writer(void *unused) {
    data = 1;
    pthread_mutex_lock(&mutex);
    words[1][1] = '5';
    pthread_mutex_unlock(&mutex);
    return unused;
}

static void *reader(void *unused) {
    for (int i = 0; i < 30; i++) /* most likely the other one has come so far; if not, nothing is found */
        sched_yield();
    pthread_mutex_lock(&mutex);
    const void *found = bsearch("25", words, 3, 4, (int (*)(const void *, const void *))strcmp);
    pthread_mutex_unlock(&mutex);
#ifdef TWIN
    found = words;
#endif
    return found && data ? unused : NULL;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, writer, NULL);
    pthread_create(&threads[1], NULL, reader, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
