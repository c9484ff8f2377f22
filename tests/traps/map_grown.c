// SPDX-License-Identifier: Apache-2.0
// A page behind the end of a file faults until another thread makes the file larger. The twin writes once more when it
// is.
// twin: data
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

static volatile int *page;
static int data, fd;

static void again(int number) {
    (void)number;
    sched_yield();
}

static void *grower(void *unused) {
    data = 1;
    if (ftruncate(fd, 4096))
        return NULL;
#ifdef TWIN
    data = 2;
#endif
    return unused;
}

static void *reader(void *unused) {
    int seen = *page;
    printf("%d\n", data + seen);
    return unused;
}

int main(void) {
    pthread_t one, two;
    struct sigaction action = {.sa_handler = again};
    sigaction(SIGBUS, &action, NULL);
    fd = memfd_create("box", 0);
    if (fd < 0)
        return 1;
    page = mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, 0);
    if (page == MAP_FAILED || pthread_create(&one, NULL, grower, NULL) || pthread_create(&two, NULL, reader, NULL))
        return 1;
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
