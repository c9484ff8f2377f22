// SPDX-License-Identifier: Apache-2.0
// pthread_setconcurrency does nothing but be remembered: a thread waits until another one has set it. The twin writes
// when nobody waits any more.
// twin: data
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdio.h>

static int data, seen;
static sem_t over;

static void *first(void *unused) {
#ifndef TWIN
    data = 42;
#endif
    pthread_setconcurrency(7);
    sem_wait(&over);
#ifdef TWIN
    data = 42;
#endif
    return unused;
}

static void *second(void *unused) {
    while (pthread_getconcurrency() != 7)
        sched_yield();
    sem_post(&over);
    seen = data;
    return unused;
}

int main(void) {
    pthread_t one, two;
    sem_init(&over, 0, 0);
    if (pthread_create(&one, NULL, first, NULL) || pthread_create(&two, NULL, second, NULL))
        return 1;
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    printf("%d\n", seen);
    return 0;
}
