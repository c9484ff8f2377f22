// SPDX-License-Identifier: Apache-2.0
// A page fault that is handled and tried again until another thread allows the access. The twin writes once more when
// it has allowed it.
// twin: data
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>

static volatile int *page;
static int data;

static void again(int number) {
    (void)number;
    sched_yield();
}

static void *opener(void *unused) {
    data = 1;
    mprotect((void *)page, 4096, PROT_READ);
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
    sigaction(SIGSEGV, &action, NULL);
    page = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (page == MAP_FAILED || pthread_create(&one, NULL, opener, NULL) || pthread_create(&two, NULL, reader, NULL))
        return 1;
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
