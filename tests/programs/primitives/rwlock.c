/* SPDX-License-Identifier: Apache-2.0 */
/* Read-write locks: readers together, writers alone, every way of taking them; a writer that is preferred gets its
 * turn. */
#define _GNU_SOURCE
#include "check.h"

#include <errno.h>
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER,
                        writers_first = PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP;
static long a, b;
static int stop;
static pthread_barrier_t inside;

static void *write_both(void *unused) {
    (void)unused;
    struct timespec far = {.tv_sec = 1L << 40};
    for (int i = 0; i < 200; i++) {
        switch (i % 4) {
        case 0: CHECK(!pthread_rwlock_wrlock(&lock)); break;
        case 1: CHECK(!pthread_rwlock_timedwrlock(&lock, &far)); break;
        case 2: CHECK(!pthread_rwlock_clockwrlock(&lock, CLOCK_MONOTONIC, &far)); break;
        default:
            while (pthread_rwlock_trywrlock(&lock))
                sched_yield();
        }
        a++, b++;
        CHECK(!pthread_rwlock_unlock(&lock));
    }
    return NULL;
}

static void *read_both(void *unused) {
    (void)unused;
    struct timespec far = {.tv_sec = 1L << 40};
    for (int i = 0; i < 200; i++) {
        switch (i % 4) {
        case 0: CHECK(!pthread_rwlock_rdlock(&lock)); break;
        case 1: CHECK(!pthread_rwlock_timedrdlock(&lock, &far)); break;
        case 2: CHECK(!pthread_rwlock_clockrdlock(&lock, CLOCK_REALTIME, &far)); break;
        default:
            while (pthread_rwlock_tryrdlock(&lock))
                sched_yield();
        }
        CHECK(a == b);
        CHECK(!pthread_rwlock_unlock(&lock));
    }
    return NULL;
}

/* Readers that are in it all at once: only then does the barrier let them go. */
static void *together(void *unused) {
    (void)unused;
    CHECK(!pthread_rwlock_rdlock(&lock) && !pthread_rwlock_rdlock(&lock));
    pthread_barrier_wait(&inside);
    CHECK(!pthread_rwlock_unlock(&lock) && !pthread_rwlock_unlock(&lock));
    return NULL;
}

static void *read_on(void *unused) {
    (void)unused;
    for (int go = 1; go;) {
        CHECK(!pthread_rwlock_rdlock(&writers_first));
        go = !stop;
        CHECK(!pthread_rwlock_unlock(&writers_first));
    }
    return NULL;
}

/* One reader is in it at any time, so the writer comes only because who tries while it waits is refused. */
static int refusals;
static void *write_once(void *unused) {
    (void)unused;
    CHECK(!pthread_rwlock_wrlock(&writers_first));
    CHECK(refusals);
    CHECK(!pthread_rwlock_unlock(&writers_first));
    return NULL;
}

static void try_until_refused(void) {
    pthread_t t;
    CHECK(!pthread_rwlock_rdlock(&writers_first));
    pthread_create(&t, NULL, write_once, NULL);
    while (!pthread_rwlock_tryrdlock(&writers_first)) {
        CHECK(!pthread_rwlock_unlock(&writers_first));
        sched_yield();
    }
    refusals++;
    CHECK(!pthread_rwlock_unlock(&writers_first));
    pthread_join(t, NULL);
    CHECK(!pthread_rwlock_tryrdlock(&writers_first) && !pthread_rwlock_unlock(&writers_first));
}

static void *refused(void *unused) {
    (void)unused;
    struct timespec past = {0}, bad = {.tv_nsec = 1000000000};
    CHECK(pthread_rwlock_tryrdlock(&lock) == EBUSY && pthread_rwlock_trywrlock(&lock) == EBUSY);
    CHECK(pthread_rwlock_timedrdlock(&lock, &past) == ETIMEDOUT &&
          pthread_rwlock_timedwrlock(&lock, &past) == ETIMEDOUT);
    CHECK(pthread_rwlock_timedrdlock(&lock, &bad) == EINVAL && pthread_rwlock_timedwrlock(&lock, &bad) == EINVAL);
    return NULL;
}

static void run(void *(*f)(void *), void *(*g)(void *), int n) {
    pthread_t t[8];
    for (int i = 0; i < n; i++)
        pthread_create(&t[i], NULL, i % 2 ? f : g, NULL);
    for (int i = 0; i < n; i++)
        pthread_join(t[i], NULL);
}

int main(void) {
    run(read_both, write_both, 4);
    CHECK(a == 400 && b == 400);
    pthread_barrier_init(&inside, NULL, 3);
    run(together, together, 3);
    CHECK(!pthread_rwlock_wrlock(&lock));
    CHECK(pthread_rwlock_wrlock(&lock) == EDEADLK && pthread_rwlock_rdlock(&lock) == EDEADLK);
    run(refused, refused, 1);
    CHECK(!pthread_rwlock_unlock(&lock));
    pthread_t t[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], NULL, read_on, NULL);
    CHECK(!pthread_rwlock_wrlock(&writers_first));
    stop = 1;
    CHECK(!pthread_rwlock_unlock(&writers_first));
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    try_until_refused();
    CHECK(!pthread_rwlock_destroy(&lock) && !pthread_rwlock_destroy(&writers_first));
    puts("rwlock ok");
}
