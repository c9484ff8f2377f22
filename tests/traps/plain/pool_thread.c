/* SPDX-License-Identifier: Apache-2.0 */
/* A library with a thread that its constructor makes, and that makes one itself: both are given something to do later. */
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>

struct job {
    atomic_int *until;
    sem_t *then;
};

static _Atomic(struct job *) first, second;

static void do_one(_Atomic(struct job *) *from) {
    struct job *job;
    while (!(job = atomic_load(from)))
        sched_yield();
    while (!atomic_load(job->until))
        sched_yield();
    sem_post(job->then);
}

static void *grandchild(void *unused) {
    do_one(&second);
    return unused;
}

static void *child(void *unused) {
    pthread_t thread;
    if (!pthread_create(&thread, NULL, grandchild, NULL))
        pthread_detach(thread);
    do_one(&first);
    return unused;
}

__attribute__((constructor)) static void begin(void) {
    pthread_t thread;
    if (!pthread_create(&thread, NULL, child, NULL))
        pthread_detach(thread);
}

void library_submit(struct job *one, struct job *two);
void library_submit(struct job *one, struct job *two) {
    atomic_store(&first, one);
    atomic_store(&second, two);
}
