// SPDX-License-Identifier: Apache-2.0
// Two threads keep each other out by two flags, one of which is in a mapped file that the other thread writes by a call:
// each says that it comes and then looks whether the other has. What is read there keeps its place among the calls. The
// twin looks too early.
// twin: data
#define _GNU_SOURCE
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

static volatile int *second_comes;
static atomic_int first_comes;
static int data, fd;

static void *first(void *unused) {
#ifdef TWIN
    int other = *second_comes;
    first_comes = 1;
#else
    first_comes = 1;
    int other = *second_comes;
#endif
    if (!other)
        data++;
    first_comes = 0;
    return unused;
}

static void *second(void *unused) {
    const int one = 1;
    if (pwrite(fd, &one, sizeof one, 0) != sizeof one)
        return NULL;
    if (!first_comes)
        data++;
    return unused;
}

int main(void) {
    pthread_t one, two;
    fd = memfd_create("box", 0);
    if (fd < 0 || ftruncate(fd, 4096))
        return 1;
    second_comes = mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, 0);
    if (second_comes == MAP_FAILED || pthread_create(&one, NULL, first, NULL) ||
        pthread_create(&two, NULL, second, NULL))
        return 1;
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    printf("%d\n", data);
    return 0;
}
