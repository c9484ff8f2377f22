/* SPDX-License-Identifier: Apache-2.0 */
/* Thread-specific data: destructors run instrumented code when a thread ends, some again; thread-local variables. */
#include "check.h"

#include <pthread.h>

static pthread_key_t first, second;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int rounds, freed;
static _Thread_local int local = 5, more[100];

static void again(void *value) {
    pthread_mutex_lock(&lock);
    rounds++;
    pthread_mutex_unlock(&lock);
    if ((long)value < 3)
        pthread_setspecific(first, (void *)((long)value + 1));
}

static void release(void *value) {
    pthread_mutex_lock(&lock);
    freed += *(int *)value;
    pthread_mutex_unlock(&lock);
    free(value);
}

static void *use(void *me) {
    int *mine = malloc(sizeof *mine);
    *mine = (int)(long)me;
    CHECK(local == 5 && !more[99]);
    local += *mine;
    more[99] = local;
    CHECK(!pthread_setspecific(first, (void *)1L) && !pthread_setspecific(second, mine));
    sched_yield();
    CHECK(pthread_getspecific(second) == mine && more[99] == 5 + *mine);
    return NULL;
}

int main(void) {
    pthread_t t[5];
    CHECK(!pthread_key_create(&first, again) && !pthread_key_create(&second, release));
    for (long i = 0; i < 5; i++)
        pthread_create(&t[i], NULL, use, (void *)i);
    for (int i = 0; i < 5; i++)
        pthread_join(t[i], NULL);
    printf("keys %d %d %d\n", rounds, freed, local);
}
