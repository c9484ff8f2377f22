/* SPDX-License-Identifier: Apache-2.0 */
/* Clean: who comes last is up to the scheduler, in whatever sections. */
#include <pthread.h>
#include <stdio.h>

enum { THREADS = 4 };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int latest, first;

static void *come(void *id) {
    pthread_mutex_lock(&lock);
    int was = latest;
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    if (was != *(int *)id)
        latest = *(int *)id;
    if (!first)
        first = *(int *)id;
    pthread_mutex_unlock(&lock);
    return id;
}

int main(void) {
    pthread_t threads[THREADS];
    int ids[] = {1, 2, 3, 4};
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, come, &ids[i]);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    printf("latest %d, first %d\n", latest, first);
    return 0;
}
