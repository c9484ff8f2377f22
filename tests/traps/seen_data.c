// SPDX-License-Identifier: Apache-2.0
// Memory that other processes may see is memory all the same: two threads have a counter in a mapped file, under a lock,
// and call the system now and then. The twin forgets the lock.
// twin: counted seen_data.c
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

static int *counted;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *count(void *unused) {
    for (int i = 0; i < 3; i++) {
#ifndef TWIN
        pthread_mutex_lock(&lock);
#endif
        ++*counted;
#ifndef TWIN
        pthread_mutex_unlock(&lock);
#endif
        if (time(NULL) < 0)
            return NULL;
    }
    return unused;
}

int main(void) {
    pthread_t one, two;
    int fd = memfd_create("box", 0);
    if (fd < 0 || ftruncate(fd, 4096))
        return 1;
    counted = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (counted == MAP_FAILED || pthread_create(&one, NULL, count, NULL) || pthread_create(&two, NULL, count, NULL))
        return 1;
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    printf("%d\n", *counted);
    return 0;
}
