/* SPDX-License-Identifier: Apache-2.0 */
/* A thousand threads at once, then a thousand one after the other, and detached ones; names, results, keys. */
#define _GNU_SOURCE
#include "check.h"

#include <errno.h>
#include <pthread.h>

enum { MANY = 1000 };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int arrived, gone, destroyed;
static pthread_key_t key;

static void on_key(void *value) {
    pthread_mutex_lock(&lock);
    destroyed += (int)(long)value;
    pthread_mutex_unlock(&lock);
}

static void *meet(void *me) {
    pthread_setspecific(key, (void *)1);
    pthread_mutex_lock(&lock);
    if (++arrived == MANY)
        pthread_cond_broadcast(&changed);
    while (arrived < MANY)
        pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
    return me;
}

static void *echo(void *me) {
    if ((long)me % 2)
        pthread_exit(me);
    return me;
}

static void *leave(void *unused) {
    (void)unused;
    pthread_mutex_lock(&lock);
    gone++;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    static pthread_t t[MANY];
    pthread_attr_t small;
    long sum = 0;
    void *r;
    CHECK(!pthread_key_create(&key, on_key));
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, 64 << 10);
    for (long i = 0; i < MANY; i++)
        CHECK(!pthread_create(&t[i], &small, meet, (void *)i));
    for (int i = 0; i < MANY; i++) {
        CHECK(!pthread_join(t[i], &r));
        sum += (long)r;
    }
    CHECK(sum == MANY * (MANY - 1L) / 2 && destroyed == MANY);

    for (long i = 0; i < MANY; i++) {
        CHECK(!pthread_create(&t[0], &small, echo, (void *)i));
        CHECK(!pthread_join(t[0], &r));
        sum -= (long)r;
    }

    pthread_attr_setdetachstate(&small, PTHREAD_CREATE_DETACHED);
    for (int i = 0; i < 40; i++) {
        CHECK(!pthread_create(&t[0], i % 2 ? &small : NULL, leave, NULL));
        if (i % 2 == 0)
            CHECK(!pthread_detach(t[0]));
    }
    pthread_mutex_lock(&lock);
    while (gone < 40)
        pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
    CHECK(pthread_join(pthread_self(), NULL) == EDEADLK);
    printf("threads %ld %d %d\n", sum, destroyed, gone);
}
