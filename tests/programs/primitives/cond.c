/* SPDX-License-Identifier: Apache-2.0 */
/* Condition variables: a bounded queue, signal and broadcast, waits that time out on either clock, recursive mutexes.
 */
#define _GNU_SOURCE
#include "check.h"

#include <errno.h>
#include <pthread.h>
#include <time.h>

enum { ITEMS = 300, ROOM = 4 };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_full = PTHREAD_COND_INITIALIZER, not_empty = PTHREAD_COND_INITIALIZER;
static int queue[ROOM], n, head;
static long sum;

static void *produce(void *unused) {
    (void)unused;
    for (int i = 1; i <= ITEMS; i++) {
        pthread_mutex_lock(&lock);
        while (n == ROOM)
            CHECK(!pthread_cond_wait(&not_full, &lock));
        queue[(head + n++) % ROOM] = i;
        CHECK(!pthread_cond_signal(&not_empty));
        pthread_mutex_unlock(&lock);
    }
    return NULL;
}

static void *consume(void *unused) {
    (void)unused;
    struct timespec far = {.tv_sec = 1L << 40};
    for (int i = 0; i < ITEMS; i++) {
        pthread_mutex_lock(&lock);
        while (!n)
            CHECK(!(i % 2 ? pthread_cond_timedwait(&not_empty, &lock, &far)
                          : pthread_cond_clockwait(&not_empty, &lock, CLOCK_MONOTONIC, &far)));
        sum += queue[head];
        head = (head + 1) % ROOM;
        n--;
        pthread_cond_signal(&not_full);
        pthread_mutex_unlock(&lock);
    }
    return NULL;
}

static pthread_cond_t start = PTHREAD_COND_INITIALIZER;
static int ready, go;

static void *wait_for_start(void *unused) {
    (void)unused;
    pthread_mutex_lock(&lock);
    ready++;
    pthread_cond_signal(&not_full);
    while (!go)
        pthread_cond_wait(&start, &lock);
    ready--;
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void late(clockid_t clock) {
    pthread_condattr_t a;
    pthread_condattr_init(&a);
    pthread_condattr_setclock(&a, clock);
    pthread_cond_t cond;
    CHECK(!pthread_cond_init(&cond, &a));
    struct timespec soon, bad = {.tv_nsec = 1000000000};
    clock_gettime(clock, &soon);
    pthread_mutex_lock(&lock);
    CHECK(pthread_cond_timedwait(&cond, &lock, &bad) == EINVAL);
    CHECK(pthread_cond_timedwait(&cond, &lock, &soon) == ETIMEDOUT);
    clock_gettime(clock, &soon);
    soon.tv_nsec += 2000000;
    soon.tv_sec += soon.tv_nsec / 1000000000;
    soon.tv_nsec %= 1000000000;
    int e;
    while (!(e = pthread_cond_clockwait(&cond, &lock, clock, &soon)))
        ;
    CHECK(e == ETIMEDOUT);
    struct timespec now;
    clock_gettime(clock, &now);
    CHECK(now.tv_sec > soon.tv_sec || (now.tv_sec == soon.tv_sec && now.tv_nsec >= soon.tv_nsec));
    pthread_mutex_unlock(&lock);
    CHECK(!pthread_cond_destroy(&cond));
}

int main(void) {
    pthread_t t[6];
    for (int i = 0; i < 6; i++)
        pthread_create(&t[i], NULL, i % 2 ? produce : consume, NULL);
    for (int i = 0; i < 6; i++)
        pthread_join(t[i], NULL);
    CHECK(sum == 3L * ITEMS * (ITEMS + 1) / 2 && !n);

    for (int i = 0; i < 6; i++)
        pthread_create(&t[i], NULL, wait_for_start, NULL);
    pthread_mutex_lock(&lock);
    while (ready < 6)
        pthread_cond_wait(&not_full, &lock);
    go = 1;
    pthread_cond_broadcast(&start);
    pthread_mutex_unlock(&lock);
    for (int i = 0; i < 6; i++)
        pthread_join(t[i], NULL);
    CHECK(!ready);
    late(CLOCK_REALTIME);
    late(CLOCK_MONOTONIC);
    printf("cond %ld\n", sum);
}
