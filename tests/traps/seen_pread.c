// SPDX-License-Identifier: Apache-2.0
// The other way round: one thread stores into a mapped file, the other reads the file by a call. The twin writes once
// more when it has stored.
// twin: data
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

static atomic_int *flag;
static int data, fd;

static void *writer(void *unused) {
    data = 1;
    *flag = 1;
#ifdef TWIN
    data = 2;
#endif
    return unused;
}

static void *reader(void *unused) {
    int seen = 0;
    while (!seen) {
        if (pread(fd, &seen, sizeof seen, 0) != sizeof seen)
            return NULL;
        sched_yield();
    }
    printf("%d\n", data);
    return unused;
}

int main(void) {
    pthread_t one, two;
    fd = memfd_create("box", 0);
    if (fd < 0 || ftruncate(fd, 4096))
        return 1;
    flag = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (flag == MAP_FAILED || pthread_create(&one, NULL, writer, NULL) || pthread_create(&two, NULL, reader, NULL))
        return 1;
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
