/* SPDX-License-Identifier: Apache-2.0 */
/* A mutex and an event of the program's own on futexes, private and not; what a wait that can't be gives back. */
#define _GNU_SOURCE
#include "check.h"

#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static atomic_int word, event, shared_event;
static long counter;

static long futex(atomic_int *at, int op, int value, const struct timespec *time) {
    return syscall(SYS_futex, at, op, value, time, NULL, FUTEX_BITSET_MATCH_ANY);
}

static void lock(void) {
    int seen = 0;
    if (atomic_compare_exchange_strong(&word, &seen, 1))
        return;
    if (seen != 2)
        seen = atomic_exchange(&word, 2);
    while (seen) {
        futex(&word, FUTEX_WAIT_PRIVATE, 2, NULL);
        seen = atomic_exchange(&word, 2);
    }
}

static void unlock(void) {
    if (atomic_exchange(&word, 0) == 2)
        futex(&word, FUTEX_WAKE_PRIVATE, 1, NULL);
}

static void *work(void *unused) {
    (void)unused;
    while (!atomic_load(&event))
        futex(&event, FUTEX_WAIT_BITSET_PRIVATE, 0, NULL);
    while (!atomic_load(&shared_event))
        futex(&shared_event, FUTEX_WAIT, 0, NULL);
    for (int i = 0; i < 200; i++) {
        lock();
        counter++;
        unlock();
    }
    return NULL;
}

int main(void) {
    pthread_t t[4];
    for (int i = 0; i < 4; i++)
        pthread_create(&t[i], NULL, work, NULL);
    atomic_store(&event, 1);
    futex(&event, FUTEX_WAKE_BITSET_PRIVATE, 100, NULL);
    atomic_store(&shared_event, 1);
    futex(&shared_event, FUTEX_WAKE, 100, NULL);
    for (int i = 0; i < 4; i++)
        pthread_join(t[i], NULL);
    struct timespec brief = {.tv_nsec = 1000000}, past = {0};
    CHECK(futex(&event, FUTEX_WAIT_PRIVATE, 0, NULL) == -1 && errno == EAGAIN);
    CHECK(futex(&event, FUTEX_WAIT_PRIVATE, 1, &brief) == -1 && errno == ETIMEDOUT);
    CHECK(futex(&event, FUTEX_WAIT_BITSET_PRIVATE, 1, &past) == -1 && errno == ETIMEDOUT);
    CHECK(futex(&event, FUTEX_WAIT_BITSET_PRIVATE | FUTEX_CLOCK_REALTIME, 1, &past) == -1 && errno == ETIMEDOUT);
    CHECK(futex(&event, FUTEX_WAKE_PRIVATE, 1, NULL) == 0);
    CHECK(syscall(SYS_gettid) == getpid() && syscall(SYS_sched_yield) == 0);
    printf("futex %ld\n", counter);
}
