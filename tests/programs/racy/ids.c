/* SPDX-License-Identifier: Apache-2.0 */
/* A thread asks the machine's clock by assembly and hands its own id to the system: a replay answers with what was
 * recorded, and the system must not be asked about an id of then. */
#define _GNU_SOURCE
#include "threads.h"

#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static int shared;

static unsigned long clock_by_assembly(void) {
#if defined __aarch64__
    unsigned long value;
    __asm__ volatile("mrs %0, cntvct_el0" : "=r"(value));
    return value;
#else
    unsigned low, high;
    __asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
    return low | (unsigned long)high << 32;
#endif
}

static void *work(void *unused) {
    cpu_set_t cpus;
    if (sched_getaffinity(gettid(), sizeof cpus, &cpus) || kill(getpid(), 0))
        abort();
    shared++;
    return unused;
}

int main(void) {
    /* Another number of rounds each time. */
    unsigned long rounds = 0;
    for (unsigned long last = clock_by_assembly() / 64 % 512; rounds < last; rounds++)
        __asm__ volatile("" : "+r"(rounds));
    pthread_t one = begin(work, NULL);
    shared++;
    pthread_join(one, NULL);
    printf("%d\n", shared);
    return 0;
}
