/* SPDX-License-Identifier: Apache-2.0 */
/* Mutexes of every type: they exclude, in every way of taking them, and answer at once or in time when they are taken.
 */
#define _GNU_SOURCE
#include "check.h"

#include <errno.h>
#include <pthread.h>

enum { THREADS = 4, ROUNDS = 200 };
static pthread_mutex_t mutexes[4];
static long counters[4];

static void *add(void *unused) {
    (void)unused;
    for (int i = 0; i < ROUNDS; i++)
        for (int m = 0; m < 4; m++) {
            struct timespec far = {.tv_sec = 1L << 40};
            switch ((i + m) % 4) {
            case 0: CHECK(!pthread_mutex_lock(&mutexes[m])); break;
            case 1: CHECK(!pthread_mutex_timedlock(&mutexes[m], &far)); break;
            case 2: CHECK(!pthread_mutex_clocklock(&mutexes[m], CLOCK_MONOTONIC, &far)); break;
            default:
                while (pthread_mutex_trylock(&mutexes[m]))
                    sched_yield();
            }
            counters[m]++;
            CHECK(!pthread_mutex_unlock(&mutexes[m]));
        }
    return NULL;
}

static void *busy(void *mutex) {
    struct timespec past = {0}, bad = {.tv_nsec = -1};
    CHECK(pthread_mutex_trylock(mutex) == EBUSY);
    CHECK(pthread_mutex_timedlock(mutex, &past) == ETIMEDOUT);
    CHECK(pthread_mutex_clocklock(mutex, CLOCK_MONOTONIC, &past) == ETIMEDOUT);
    CHECK(pthread_mutex_timedlock(mutex, &bad) == EINVAL);
    return NULL;
}

int main(void) {
    static const int types[4] = {PTHREAD_MUTEX_NORMAL, PTHREAD_MUTEX_RECURSIVE, PTHREAD_MUTEX_ERRORCHECK,
                                 PTHREAD_MUTEX_ADAPTIVE_NP};
    for (int m = 0; m < 4; m++) {
        pthread_mutexattr_t a;
        pthread_mutexattr_init(&a);
        pthread_mutexattr_settype(&a, types[m]);
        CHECK(!pthread_mutex_init(&mutexes[m], &a));
        pthread_mutexattr_destroy(&a);
    }
    pthread_t t[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&t[i], NULL, add, NULL);
    for (int i = 0; i < THREADS; i++)
        pthread_join(t[i], NULL);
    for (int m = 0; m < 4; m++)
        CHECK(counters[m] == THREADS * ROUNDS);

    for (int m = 0; m < 4; m++) {
        CHECK(!pthread_mutex_lock(&mutexes[m]));
        pthread_create(&t[0], NULL, busy, &mutexes[m]);
        pthread_join(t[0], NULL);
        CHECK(!pthread_mutex_unlock(&mutexes[m]));
        CHECK(!pthread_mutex_destroy(&mutexes[m]));
    }
    puts("mutex ok");
}
