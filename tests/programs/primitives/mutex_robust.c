/* SPDX-License-Identifier: Apache-2.0 */
/* A thread dies with robust mutexes: who waits for them learns of it, can mend one, and nobody gets one that was not.
 */
#define _GNU_SOURCE
#include "check.h"

#include <errno.h>
#include <pthread.h>

static pthread_mutex_t mended, lost;
static pthread_barrier_t taken;

static void *die(void *unused) {
    (void)unused;
    CHECK(!pthread_mutex_lock(&mended) && !pthread_mutex_lock(&lost));
    pthread_barrier_wait(&taken);
    return NULL;
}

static void *take_over(void *unused) {
    (void)unused;
    pthread_barrier_wait(&taken);
    int e = pthread_mutex_lock(&mended);
    CHECK(!e || e == EOWNERDEAD);
    if (e)
        CHECK(!pthread_mutex_consistent(&mended));
    CHECK(!pthread_mutex_unlock(&mended));
    int f = pthread_mutex_lock(&lost);
    CHECK(f == EOWNERDEAD || f == ENOTRECOVERABLE);
    if (f == EOWNERDEAD)
        CHECK(!pthread_mutex_unlock(&lost));
    return (void *)(long)((e == EOWNERDEAD) + 10 * (f == EOWNERDEAD) + 100 * (f == ENOTRECOVERABLE));
}

int main(void) {
    pthread_mutexattr_t a;
    pthread_mutexattr_init(&a);
    pthread_mutexattr_setrobust(&a, PTHREAD_MUTEX_ROBUST);
    CHECK(!pthread_mutex_init(&mended, &a) && !pthread_mutex_init(&lost, &a));
    CHECK(!pthread_barrier_init(&taken, NULL, 4));
    pthread_t t[4];
    long sum = 0;
    for (int i = 0; i < 4; i++)
        pthread_create(&t[i], NULL, i ? take_over : die, NULL);
    for (int i = 0; i < 4; i++) {
        void *r;
        pthread_join(t[i], &r);
        sum += (long)r;
    }
    CHECK(pthread_mutex_trylock(&lost) == ENOTRECOVERABLE);
    CHECK(!pthread_mutex_lock(&mended) && !pthread_mutex_unlock(&mended));
    printf("robust %ld\n", sum); /* one finds it first, one the other, two come too late */
    CHECK(sum == 211);
}
