// SPDX-License-Identifier: Apache-2.0
// One thread writes into a file that is mapped: the other one finds it in memory, which no code of the program ever
// writes. The twin writes once more when the file was written.
// twin: data
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

static volatile int *flag;
static int data, fd;

static void *writer(void *unused) {
    const int one = 1;
    data = 1;
    if (pwrite(fd, &one, sizeof one, 0) != sizeof one)
        return NULL;
#ifdef TWIN
    data = 2;
#endif
    return unused;
}

static void *reader(void *unused) {
    while (!*flag)
        sched_yield();
    printf("%d\n", data);
    return unused;
}

int main(void) {
    pthread_t one, two;
    fd = memfd_create("box", 0);
    if (fd < 0 || ftruncate(fd, 4096))
        return 1;
    flag = mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, 0);
    if (flag == MAP_FAILED || pthread_create(&one, NULL, writer, NULL) || pthread_create(&two, NULL, reader, NULL))
        return 1;
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
