// SPDX-License-Identifier: Apache-2.0
// One memory in two places, which the program has made by calls of the system by their numbers. The twin writes once
// more when it has said so.
// twin: data
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int *said, *found;
static int data;

static void *writer(void *unused) {
    data = 1;
    *said = 1;
#ifdef TWIN
    data = 2;
#endif
    return unused;
}

static void *reader(void *unused) {
    while (!*found)
        sched_yield();
    printf("%d\n", data);
    return unused;
}

int main(void) {
    pthread_t one, two;
    int fd = (int)syscall(SYS_memfd_create, "box", 0);
    if (fd < 0 || ftruncate(fd, 4096))
        return 1;
    said = (atomic_int *)syscall(SYS_mmap, NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    found = (atomic_int *)syscall(SYS_mmap, NULL, 4096, PROT_READ, MAP_SHARED, fd, 0);
    if (said == MAP_FAILED || found == MAP_FAILED)
        return 1;
    if (pthread_create(&one, NULL, writer, NULL) || pthread_create(&two, NULL, reader, NULL))
        return 1;
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
