// SPDX-License-Identifier: Apache-2.0
// A semaphore that has as many as it can have: a post fails, or is done once somebody has taken one. The twin looks
// before it knows.
// twin: data
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdio.h>

static int data, more;
static sem_t full, nearly;

static void *worker(void *unused) {
    data = 1;
    sem_wait(&full);
    more = 1;
    while (sem_post(&nearly)) /* the other one has just filled it */
        sched_yield();
    return unused;
}

int main(void) {
    pthread_t thread;
    sem_init(&full, 0, SEM_VALUE_MAX);
    sem_init(&nearly, 0, SEM_VALUE_MAX - 1);
    if (pthread_create(&thread, NULL, worker, NULL))
        return 1;
#ifdef TWIN
    printf("%d\n", data);
#endif
    while (sem_post(&full))
        sched_yield();
    printf("%d\n", data);
    while (!sem_post(&nearly)) { /* it was not full: the other one has not come yet */
        sem_wait(&nearly);
        sched_yield();
    }
    printf("%d %d\n", errno == EOVERFLOW, more);
    pthread_join(thread, NULL);
    return 0;
}
