// SPDX-License-Identifier: Apache-2.0
// The end of a thread seen by tgkill, which finds nobody any more. The twin looks at what the thread wrote before it
// knows.
// twin: data
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

static int data[2];
static atomic_int number[2];

static void *worker(void *which) {
    int i = *(int *)which;
    number[i] = (int)gettid();
    data[i] = 1;
    return NULL;
}

int main(void) {
    pthread_t thread[2];
    int which[2] = {0, 1};
    for (int i = 0; i < 2; i++)
        if (pthread_create(&thread[i], NULL, worker, &which[i]))
            return 1;
    while (!number[0] || !number[1])
        sched_yield();
#ifdef TWIN
    printf("%d\n", data[0] + data[1]);
#endif
    while (!tgkill(getpid(), (int)number[0], 0))
        sched_yield();
    printf("%d\n", data[0]);
    while (!syscall(SYS_tgkill, (int)getpid(), (int)number[1], 0))
        sched_yield();
    printf("%d\n", data[1]);
    pthread_join(thread[0], NULL);
    pthread_join(thread[1], NULL);
    return 0;
}
