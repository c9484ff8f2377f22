// SPDX-License-Identifier: Apache-2.0
// A thread that may be cancelled at any time: what happens to it from then on (its handlers, a lock that it lets go, what it kept for
// its end) comes after the call that cancelled it, and so does who sees that. In the twin it looks before.
// twin: data
// plain: unlock.c
#include <pthread.h>
#include <semaphore.h>

void unlock(void *mutex);

static int data, seen;
static sem_t ready;
static long turns;
static pthread_key_t key;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void clean(void *arg) { seen += *(int *)arg; }
static void end(void *arg) { seen += *(int *)arg; }

static void *spin(void *arg) {
    pthread_setspecific(key, &data);
    pthread_cleanup_push(clean, &data);
    sem_post(&ready);
#ifdef TWIN
    seen += data;
#endif
    pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
    for (;;)
        turns++;
    pthread_cleanup_pop(0);
    return arg;
}

static void *hold(void *arg) {
    pthread_mutex_lock(&lock);
    pthread_cleanup_push(unlock, &lock);
    pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
    sem_post(&ready);
    for (;;)
        turns++;
    pthread_cleanup_pop(1);
    return arg;
}

static void *look(void *arg) {
    pthread_mutex_lock(&lock);
    int now = data; /* hold() has been cancelled */
    pthread_mutex_unlock(&lock);
    seen += now;
    return arg;
}

int main(void) {
    pthread_t thread, other;
    pthread_key_create(&key, end);
    sem_init(&ready, 0, 0);
    pthread_create(&thread, NULL, spin, NULL);
    sem_wait(&ready);
    data = 1;
    pthread_cancel(thread);
    pthread_join(thread, NULL);
    pthread_create(&thread, NULL, hold, NULL);
    sem_wait(&ready);
    pthread_create(&other, NULL, look, NULL);
    data = 2;
    pthread_cancel(thread);
    pthread_join(thread, NULL);
    pthread_join(other, NULL);
    return seen < 4;
}
