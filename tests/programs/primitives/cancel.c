/* SPDX-License-Identifier: Apache-2.0 */
/* Cancellation: at every kind of wait that is a cancellation point, not at others; state, type, cleanup handlers, keys.
 */
#include "check.h"

#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER, outer = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
static sem_t ready, nobody, freed;
static pthread_t forever;
static pthread_key_t key;
static int cleaned, destroyed, ends[2];
static atomic_int spinning;

static void count(void *by) { cleaned += (int)(long)by; }
static void unlock(void *mutex) { CHECK(!pthread_mutex_unlock(mutex)); }
static void on_key(void *value) { destroyed += value != NULL; }

static void begin(void) {
    pthread_setspecific(key, &key);
    sem_post(&ready);
}

static void *in_cond(void *unused) {
    (void)unused;
    pthread_cleanup_push(count, (void *)1);
    pthread_mutex_lock(&lock);
    pthread_cleanup_push(unlock, &lock); /* it is held again when this runs, or unlocking fails */
    begin();
    for (;;)
        pthread_cond_wait(&never, &lock);
    pthread_cleanup_pop(0);
    pthread_cleanup_pop(0);
    return NULL;
}

static void *in_semaphore(void *unused) {
    (void)unused;
    pthread_cleanup_push(count, (void *)1);
    begin();
    for (;;)
        sem_wait(&nobody);
    pthread_cleanup_pop(0);
    return NULL;
}

static void *in_join(void *unused) {
    (void)unused;
    pthread_cleanup_push(count, (void *)1);
    begin();
    pthread_join(forever, NULL);
    pthread_cleanup_pop(0);
    return NULL;
}

static void *in_read(void *unused) {
    (void)unused;
    char byte;
    pthread_cleanup_push(count, (void *)1);
    begin();
    for (;;)
        if (read(ends[0], &byte, 1) > 0)
            break;
    pthread_cleanup_pop(0);
    return NULL;
}

static void *in_test(void *unused) {
    (void)unused;
    pthread_cleanup_push(count, (void *)1);
    begin();
    for (;;)
        pthread_testcancel();
    pthread_cleanup_pop(0);
    return NULL;
}

/* Waiting for a mutex is no cancellation point, nor is anything while it is disabled: the next one after that is. */
static void *later(void *unused) {
    (void)unused;
    int old = -1;
    pthread_cleanup_push(count, (void *)1);
    CHECK(!pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old) && old == PTHREAD_CANCEL_ENABLE);
    begin();
    sem_wait(&freed);
    pthread_testcancel();
    CHECK(!pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &old) && old == PTHREAD_CANCEL_DISABLE);
    CHECK(!pthread_mutex_lock(&outer));
    cleaned += 10;
    CHECK(!pthread_mutex_unlock(&outer));
    pthread_testcancel();
    cleaned += 1000;
    pthread_cleanup_pop(0);
    return NULL;
}

static void *any_time(void *unused) {
    (void)unused;
    int old = -1;
    pthread_cleanup_push(count, (void *)1);
    CHECK(pthread_setcanceltype(99, &old) == EINVAL);
    CHECK(!pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, &old) && old == PTHREAD_CANCEL_DEFERRED);
    begin();
    for (;;)
        atomic_fetch_add(&spinning, 1);
    pthread_cleanup_pop(0);
    return NULL;
}

static void *itself(void *unused) {
    (void)unused;
    begin();
    pthread_cleanup_push(count, (void *)1);
    CHECK(!pthread_cancel(pthread_self()));
    pthread_testcancel();
    pthread_cleanup_pop(0);
    return NULL;
}

static void *wait_for_end(void *unused) {
    (void)unused;
    sem_wait(&nobody);
    return NULL;
}

static void cancel(void *(*f)(void *)) {
    pthread_t t;
    void *result = NULL;
    CHECK(!pthread_create(&t, NULL, f, NULL));
    CHECK(!sem_wait(&ready));
    if (f != itself)
        CHECK(!pthread_cancel(t));
    if (f == later)
        sem_post(&freed);
    CHECK(!pthread_join(t, &result));
    CHECK(result == PTHREAD_CANCELED);
}

int main(void) {
    CHECK(!sem_init(&ready, 0, 0) && !sem_init(&nobody, 0, 0) && !sem_init(&freed, 0, 0) && !pipe(ends));
    CHECK(!pthread_key_create(&key, on_key));
    pthread_create(&forever, NULL, wait_for_end, NULL);
    cancel(in_cond);
    CHECK(!pthread_mutex_trylock(&lock) && !pthread_mutex_unlock(&lock));
    cancel(in_semaphore);
    cancel(in_join);
    cancel(in_read);
    cancel(in_test);
    cancel(later);
    cancel(any_time);
    cancel(itself);
    sem_post(&nobody);
    CHECK(!pthread_join(forever, NULL)); /* whoever was cancelled while joining left it joinable */
    printf("cancel %d %d\n", cleaned, destroyed);
    return 0;
}
