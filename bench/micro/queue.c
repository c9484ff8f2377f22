/* SPDX-License-Identifier: Apache-2.0 */
/* A bounded queue with two condition variables between producers and consumers: little work between synchronisations.
 * queue [ITEMS] */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { PRODUCERS = 2, CONSUMERS = 2, ROOM = 32 };

static struct {
    pthread_mutex_t lock;
    pthread_cond_t not_empty, not_full;
    uint32_t item[ROOM];
    unsigned head, used, producing;
} queue = {.lock = PTHREAD_MUTEX_INITIALIZER,
           .not_empty = PTHREAD_COND_INITIALIZER,
           .not_full = PTHREAD_COND_INITIALIZER,
           .producing = PRODUCERS};
static unsigned items = 150000;

static void put(uint32_t item) {
    pthread_mutex_lock(&queue.lock);
    while (queue.used == ROOM)
        pthread_cond_wait(&queue.not_full, &queue.lock);
    queue.item[(queue.head + queue.used++) % ROOM] = item;
    pthread_cond_signal(&queue.not_empty);
    pthread_mutex_unlock(&queue.lock);
}

static int get(uint32_t *item) {
    pthread_mutex_lock(&queue.lock);
    while (queue.used == 0 && queue.producing > 0)
        pthread_cond_wait(&queue.not_empty, &queue.lock);
    int got = queue.used > 0;
    if (got) {
        *item = queue.item[queue.head];
        queue.head = (queue.head + 1) % ROOM;
        queue.used--;
        pthread_cond_signal(&queue.not_full);
    }
    pthread_mutex_unlock(&queue.lock);
    return got;
}

static void *produce(void *argument) {
    uint32_t x = (uint32_t)(uintptr_t)argument + 1;
    for (unsigned i = 0; i < items; i++) {
        x = x * 1664525 + 1013904223;
        put(x);
    }
    pthread_mutex_lock(&queue.lock);
    queue.producing--;
    pthread_cond_broadcast(&queue.not_empty);
    pthread_mutex_unlock(&queue.lock);
    return NULL;
}

static void *consume(void *argument) {
    uint64_t *sum = argument;
    for (uint32_t item; get(&item);) {
        for (int i = 0; i < 20; i++)
            item = (item >> 1) ^ (-(item & 1) & 0xedb88320U);
        *sum += item;
    }
    return NULL;
}

int main(int argc, char **argv) {
    if (argc > 1)
        items = (unsigned)atoi(argv[1]);
    pthread_t threads[PRODUCERS + CONSUMERS];
    static uint64_t sums[CONSUMERS][8]; /* a cache line each */
    for (uintptr_t i = 0; i < PRODUCERS; i++)
        pthread_create(&threads[i], NULL, produce, (void *)i);
    for (unsigned i = 0; i < CONSUMERS; i++)
        pthread_create(&threads[PRODUCERS + i], NULL, consume, sums[i]);
    uint64_t sum = 0;
    for (unsigned i = 0; i < PRODUCERS + CONSUMERS; i++)
        pthread_join(threads[i], NULL);
    for (unsigned i = 0; i < CONSUMERS; i++)
        sum += sums[i][0];
    printf("%016llx\n", (unsigned long long)sum);
    return 0;
}
