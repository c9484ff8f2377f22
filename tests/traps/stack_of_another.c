/* SPDX-License-Identifier: Apache-2.0 */
/* A job lies on the stack of the thread that asks for it; the worker fills it in, and says so by an atomic flag in it. */
// twin: stack_of_another.c
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stddef.h>

typedef struct job {
    int result;
    _Atomic int done;
} job;

static _Atomic(job *) asked;
static sem_t over;

static void *works(void *unused) {
    job *j;
    while (!(j = atomic_load(&asked)))
        ;
#ifdef TWIN
    atomic_store(&j->done, 1);
    j->result = 42;
#else
    j->result = 42;
    atomic_store(&j->done, 1);
#endif
    sem_post(&over);
    return unused;
}

static void *asks(void *unused) {
    job mine = {0};
    atomic_store(&asked, &mine);
    while (!atomic_load(&mine.done))
        ;
    int result = *(volatile int *)&mine.result;
    sem_wait(&over);
    return (char *)unused + 0 * result;
}

int main(void) {
    pthread_t threads[2];
    sem_init(&over, 0, 0);
    pthread_create(&threads[0], NULL, works, NULL);
    pthread_create(&threads[1], NULL, asks, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
