// SPDX-License-Identifier: Apache-2.0
// The end of a thread seen otherwise than by a join: it is no longer listed in /proc/self/task. The twin looks at what
// the thread wrote before it knows.
// twin: data
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
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
    char path[64];
    if (pthread_create(&thread, NULL, worker, NULL))
        return 1;
    while (!number)
        sched_yield();
#ifdef TWIN
    printf("%d\n", data);
#endif
    snprintf(path, sizeof path, "/proc/self/task/%d", (int)number);
    while (!access(path, F_OK))
        sched_yield();
    printf("%d\n", data);
    pthread_join(thread, NULL);
    return 0;
}
