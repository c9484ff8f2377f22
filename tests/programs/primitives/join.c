/* SPDX-License-Identifier: Apache-2.0 */
/* Ways of joining: try, with a deadline on either clock, by a chain; and the main thread that leaves first. */
#define _GNU_SOURCE
#include "check.h"

#include <errno.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t go;
static pthread_t main_thread;

static void *wait_for(void *result) {
    sem_wait(&go);
    return result;
}

static void *chain(void *depth) {
    pthread_t next;
    void *below = NULL;
    if (depth) {
        CHECK(!pthread_create(&next, NULL, chain, (void *)((long)depth - 1)));
        CHECK(!pthread_join(next, &below));
    }
    return (void *)((long)below + (long)depth);
}

static void *last(void *unused) {
    (void)unused;
    CHECK(!pthread_join(main_thread, NULL));
    puts("join ok");
    exit(0);
}

int main(void) {
    pthread_t t;
    void *r = NULL;
    struct timespec past = {0}, far = {.tv_sec = 1L << 33};
    CHECK(!sem_init(&go, 0, 0));
    CHECK(!pthread_create(&t, NULL, wait_for, &go));
    CHECK(pthread_tryjoin_np(t, &r) == EBUSY);
    CHECK(pthread_timedjoin_np(t, &r, &past) == ETIMEDOUT);
    CHECK(pthread_clockjoin_np(t, &r, CLOCK_MONOTONIC, &past) == ETIMEDOUT);
    sem_post(&go);
    CHECK(!pthread_clockjoin_np(t, &r, CLOCK_MONOTONIC, &far) && r == &go);
    CHECK(!pthread_create(&t, NULL, wait_for, &t));
    sem_post(&go);
    while (pthread_tryjoin_np(t, &r) == EBUSY)
        sched_yield();
    CHECK(r == &t);
    CHECK(!pthread_create(&t, NULL, chain, (void *)20L));
    CHECK(!pthread_timedjoin_np(t, &r, &far) && (long)r == 210);
    main_thread = pthread_self();
    CHECK(!pthread_create(&t, NULL, last, NULL));
    pthread_exit(NULL);
}
