/* SPDX-License-Identifier: Apache-2.0 */
/* A condition that processes might share, in memory that others may have mapped, waited for with a deadline: in a replay
 * the deadline is of a time that is over, and yet the wait ends because of the signal. */
#define _GNU_SOURCE
#include "threads.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

static struct box {
    pthread_mutex_t mutex;
    pthread_cond_t cond;
} *box;
static int ready, shared;

static void *work(void *unused) {
    pthread_mutex_lock(&box->mutex);
    ready = 1;
    pthread_cond_signal(&box->cond);
    pthread_mutex_unlock(&box->mutex);
    return unused;
}

static void *add(void *unused) {
    shared++;
    return unused;
}

int main(void) {
    int fd = memfd_create("box", 0);
    box = fd < 0 || ftruncate(fd, sizeof *box)
              ? MAP_FAILED
              : mmap(NULL, sizeof *box, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (box == MAP_FAILED)
        return 1;
    pthread_mutexattr_t of_mutex;
    pthread_condattr_t of_cond;
    pthread_mutexattr_init(&of_mutex);
    pthread_mutexattr_setpshared(&of_mutex, PTHREAD_PROCESS_SHARED);
    pthread_mutex_init(&box->mutex, &of_mutex);
    pthread_condattr_init(&of_cond);
    pthread_condattr_setpshared(&of_cond, PTHREAD_PROCESS_SHARED);
    pthread_cond_init(&box->cond, &of_cond);
    pthread_t one = begin(work, NULL);
    struct timespec deadline;
    clock_gettime(CLOCK_REALTIME, &deadline);
    deadline.tv_nsec += 999999999 - deadline.tv_nsec % 1000;
    deadline.tv_sec += deadline.tv_nsec / 1000000000;
    deadline.tv_nsec %= 1000000000;
    pthread_mutex_lock(&box->mutex);
    while (!ready)
        if (pthread_cond_timedwait(&box->cond, &box->mutex, &deadline))
            abort();
    pthread_mutex_unlock(&box->mutex);
    pthread_join(one, NULL);
    run_both(add, add);
    printf("%d\n", shared);
    return 0;
}
