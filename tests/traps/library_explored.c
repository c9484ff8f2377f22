// SPDX-License-Identifier: Apache-2.0
// A library's thread posts a semaphore once it has seen a flag: runs that are thought out must not have it post earlier. The
// twin looks before it has waited.
// twin: data
// library: pool_thread.c
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>

struct job {
    atomic_int *until;
    sem_t *then;
};
void library_submit(struct job *one, struct job *two);

static atomic_int flag, has_begun;
static sem_t done[2];
static int data;

static void *writer(void *unused) {
    has_begun = 1;
    data = 1;
    flag = 1;
    return unused;
}

int main(void) {
    pthread_t thread;
    sem_init(&done[0], 0, 0);
    sem_init(&done[1], 0, 0);
    struct job one = {&flag, &done[0]}, two = {&flag, &done[1]};
    library_submit(&one, &two);
    if (pthread_create(&thread, NULL, writer, NULL))
        return 1;
    while (!has_begun)
        sched_yield();
#ifdef TWIN
    if (data > 1)
        return 1;
#endif
    while (sem_wait(&done[0]))
        ;
    int seen = data;
    pthread_join(thread, NULL);
    while (sem_wait(&done[1]))
        ;
    return seen != 1;
}
