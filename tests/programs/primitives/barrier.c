/* SPDX-License-Identifier: Apache-2.0 */
/* Barriers: everybody sees what all wrote before, one of each generation is told so, and whoever leaves may destroy it.
 */
#include "check.h"

#include <errno.h>
#include <pthread.h>

enum { THREADS = 5, ROUNDS = 50 };
static pthread_barrier_t barrier;
static int written[THREADS], serial[THREADS];

static void *rounds(void *me) {
    int k = (int)(long)me;
    for (int i = 1; i <= ROUNDS; i++) {
        written[k] = i;
        int e = pthread_barrier_wait(&barrier);
        CHECK(!e || e == PTHREAD_BARRIER_SERIAL_THREAD);
        serial[k] += e == PTHREAD_BARRIER_SERIAL_THREAD;
        for (int j = 0; j < THREADS; j++)
            CHECK(written[j] == i);
        pthread_barrier_wait(&barrier);
    }
    return NULL;
}

struct brief {
    pthread_barrier_t barrier;
    int users;
};

static void *leave(void *data) {
    struct brief *b = data;
    if (pthread_barrier_wait(&b->barrier) == PTHREAD_BARRIER_SERIAL_THREAD)
        CHECK(!pthread_barrier_destroy(&b->barrier));
    return NULL;
}

int main(void) {
    pthread_t t[THREADS];
    int sum = 0;
    CHECK(pthread_barrier_init(&barrier, NULL, 0) == EINVAL);
    CHECK(!pthread_barrier_init(&barrier, NULL, THREADS));
    for (long i = 0; i < THREADS; i++)
        pthread_create(&t[i], NULL, rounds, (void *)i);
    for (int i = 0; i < THREADS; i++) {
        pthread_join(t[i], NULL);
        sum += serial[i];
    }
    CHECK(sum == ROUNDS && !pthread_barrier_destroy(&barrier));
    struct brief b;
    CHECK(!pthread_barrier_init(&b.barrier, NULL, THREADS));
    for (int i = 0; i < THREADS; i++)
        pthread_create(&t[i], NULL, leave, &b);
    for (int i = 0; i < THREADS; i++)
        pthread_join(t[i], NULL);
    CHECK(!pthread_barrier_init(&b.barrier, NULL, 1));
    CHECK(pthread_barrier_wait(&b.barrier) == PTHREAD_BARRIER_SERIAL_THREAD);
    CHECK(!pthread_barrier_destroy(&b.barrier));
    printf("barrier %d\n", sum);
}
