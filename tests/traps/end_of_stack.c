/* SPDX-License-Identifier: Apache-2.0 */
/* A thread reads what lies on another one's stack, and in its thread-local memory: it waits until that was done. */
// twin: end_of_stack.c:36
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int *places[2];
static sem_t there, done;
static _Thread_local int own;

static void *owner(void *unused) {
    int local = 0;
    int *volatile where = &local;
    pthread_mutex_lock(&lock);
    places[0] = where;
    places[1] = &own;
    *where = 3;
    own = 4;
    pthread_mutex_unlock(&lock);
    sem_post(&there);
#ifndef TWIN
    sem_wait(&done);
#endif
    return unused;
}

static void *reader(void *unused) {
    int sum = 0;
    sem_wait(&there);
    pthread_mutex_lock(&lock);
    int *from[2] = {places[0], places[1]};
    pthread_mutex_unlock(&lock);
    for (int i = 0; i < 2; i++)
        sum += *(volatile int *)from[i];
    sem_post(&done);
    return (char *)unused + 0 * sum;
}

int main(void) {
    pthread_t threads[2];
    sem_init(&there, 0, 0);
    sem_init(&done, 0, 0);
    pthread_create(&threads[0], NULL, owner, NULL);
    pthread_create(&threads[1], NULL, reader, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
