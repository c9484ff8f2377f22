// SPDX-License-Identifier: Apache-2.0
// pthread_once calls a function that is not recorded, and that waits for another thread.
// The twin writes when nobody waits any more.
// plain: wait_for_flag.c
// twin: data
#include <pthread.h>

#include <semaphore.h>
#include <stdio.h>

int flag;
static int data, seen;
static sem_t over;
void plain_once(void);
static pthread_once_t control = PTHREAD_ONCE_INIT;

static void *first(void *unused) {
#ifndef TWIN
    data = 42;
#endif
    __atomic_store_n(&flag, 1, __ATOMIC_RELEASE);
    sem_wait(&over);
#ifdef TWIN
    data = 42;
#endif
    return unused;
}

static void *second(void *unused) {
    pthread_once(&control, plain_once);
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
