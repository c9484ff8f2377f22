// SPDX-License-Identifier: Apache-2.0
// bsearch calls a function that is not recorded, and that waits for another thread.
// The twin writes when nobody waits any more.
// plain: wait_for_flag.c
// twin: data
#include <pthread.h>
#include <stdlib.h>
#include <semaphore.h>
#include <stdio.h>

int flag;
static int data, seen;
static sem_t over;
int plain_compare(const void *a, const void *b);
static const int numbers[] = {1, 2, 3};

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
    const int wanted = 2;
    if (!bsearch(&wanted, numbers, 3, sizeof *numbers, plain_compare))
        return NULL;
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
