// SPDX-License-Identifier: Apache-2.0
// The end of a thread seen by a function of a library of which nothing is known: it may ask for threads by their numbers, and finds
// nobody any more. The twin looks at what the thread wrote before it knows.
// twin: data
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

static int data;
static atomic_int number;

static void *worker(void *unused) {
    number = (int)gettid();
    data = 1;
    return unused;
}

int main(void) {
    pthread_t thread;
    struct rlimit limit;
    if (pthread_create(&thread, NULL, worker, NULL))
        return 1;
    pthread_detach(thread);
    while (!number)
        sched_yield();
#ifdef TWIN
    printf("%d\n", data);
#endif
    while (!prlimit((int)number, RLIMIT_CORE, NULL, &limit))
        sched_yield();
    printf("%d\n", data);
    return 0;
}
