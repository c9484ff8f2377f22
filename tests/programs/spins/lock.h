/* What the programs with a lock of their own share: three threads (or -DTHREADS) that take it ten times each and count. With
 * -DCOND the lock is made of a mutex and a condition. The twin counts once more without it. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#ifndef THREADS
#define THREADS 3
#endif
enum { TIMES = 10 };
static int counter;
#ifdef COND
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static int is_taken;
static void lock(int me) {
    (void)me;
    pthread_mutex_lock(&mutex);
    while (is_taken)
        pthread_cond_wait(&cond, &mutex);
    is_taken = 1;
    pthread_mutex_unlock(&mutex);
}
static void unlock(int me) {
    (void)me;
    pthread_mutex_lock(&mutex);
    is_taken = 0;
    pthread_cond_signal(&cond);
    pthread_mutex_unlock(&mutex);
}
#else
static void lock(int me);
static void unlock(int me);
#endif
static void *work(void *arg) {
    int me = (int)(long)arg;
    for (int i = 0; i < TIMES; i++) {
        lock(me);
        counter++;
        unlock(me);
    }
#ifdef TWIN
    counter++;
#endif
    return NULL;
}
int main(void) {
    pthread_t t[THREADS];
    for (long i = 0; i < THREADS; i++)
        pthread_create(&t[i], NULL, work, (void *)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(t[i], NULL);
    printf("%d\n", counter);
}
