/* SPDX-License-Identifier: Apache-2.0 */
/* A program that begins by measuring its clock: it gives way some ten thousand times, and how often hangs on the time. Then two threads
 * share memory that was mapped after that, between calls of code that is not recorded. The twin's do so without the lock. */
#define _GNU_SOURCE
#include "apart.h"

#include <sched.h>
#include <stdio.h>
#include <sys/mman.h>
#include <time.h>

static int *shared;

static long measure(void) {
    struct timespec begin, now;
    long rounds = 0;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    do {
        sched_yield();
        clock_gettime(CLOCK_MONOTONIC, &now);
        rounds++;
    } while (rounds < 60000 || now.tv_nsec / 1000 % 2);
    return rounds;
}

static void *work(void *arg) {
    for (int i = 0; i < 2; i++) {
        apart(shared);
        enter();
        shared[64]++;
        leave();
        apart(shared);
    }
    return arg;
}

int main(void) {
    long rounds = measure();
    shared = mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED)
        return 2;
    run_two(work);
    puts(rounds ? "over" : "");
    return 0;
}
