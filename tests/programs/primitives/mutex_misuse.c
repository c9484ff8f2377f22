/* SPDX-License-Identifier: Apache-2.0 */
/* Mutexes that are used wrongly answer as their types say. */
#define _GNU_SOURCE
#include "check.h"

#include <errno.h>
#include <pthread.h>

static void *not_mine(void *mutex) {
    CHECK(pthread_mutex_unlock(mutex) == EPERM);
    return NULL;
}

static void make(pthread_mutex_t *mutex, int type) {
    pthread_mutexattr_t a;
    pthread_mutexattr_init(&a);
    pthread_mutexattr_settype(&a, type);
    CHECK(!pthread_mutex_init(mutex, &a));
    pthread_mutexattr_destroy(&a);
}

int main(void) {
    pthread_mutex_t recursive, checked, plain = PTHREAD_MUTEX_INITIALIZER;
    struct timespec past = {0};
    pthread_t t;
    make(&recursive, PTHREAD_MUTEX_RECURSIVE);
    make(&checked, PTHREAD_MUTEX_ERRORCHECK);

    CHECK(!pthread_mutex_lock(&recursive) && !pthread_mutex_lock(&recursive) && !pthread_mutex_trylock(&recursive));
    CHECK(!pthread_mutex_unlock(&recursive) && !pthread_mutex_unlock(&recursive));
    pthread_create(&t, NULL, not_mine, &recursive);
    pthread_join(t, NULL);
    CHECK(!pthread_mutex_unlock(&recursive) && pthread_mutex_unlock(&recursive) == EPERM);

    CHECK(!pthread_mutex_lock(&checked) && pthread_mutex_lock(&checked) == EDEADLK);
    CHECK(pthread_mutex_trylock(&checked) == EBUSY && pthread_mutex_timedlock(&checked, &past) == EDEADLK);
    pthread_create(&t, NULL, not_mine, &checked);
    pthread_join(t, NULL);
    CHECK(pthread_mutex_destroy(&checked) == EBUSY);
    CHECK(!pthread_mutex_unlock(&checked) && pthread_mutex_unlock(&checked) == EPERM);

    CHECK(!pthread_mutex_lock(&plain) && pthread_mutex_timedlock(&plain, &past) == ETIMEDOUT);
    CHECK(pthread_mutex_clocklock(&plain, CLOCK_PROCESS_CPUTIME_ID, &past) == EINVAL);
    CHECK(!pthread_mutex_unlock(&plain));
    CHECK(!pthread_mutex_destroy(&recursive) && !pthread_mutex_destroy(&checked) && !pthread_mutex_destroy(&plain));
    puts("misuse ok");
}
