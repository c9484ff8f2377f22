// SPDX-License-Identifier: Apache-2.0
// MAP_FIXED_NOREPLACE is a lock: it fails while the place is taken. The twin writes once more when it has let go.
// twin: data
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <sys/mman.h>

static void *place;
static int data;

static void *owner(void *unused) {
    data = 1;
    munmap(place, 4096);
#ifdef TWIN
    data = 2;
#endif
    return unused;
}

static void *next(void *unused) {
    while (mmap(place, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0) == MAP_FAILED)
        sched_yield();
    printf("%d\n", data);
    return unused;
}

int main(void) {
    pthread_t one, two;
    place = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (place == MAP_FAILED || pthread_create(&one, NULL, owner, NULL) || pthread_create(&two, NULL, next, NULL))
        return 1;
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
