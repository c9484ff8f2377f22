/* SPDX-License-Identifier: Apache-2.0 */
/* A bounded queue of messages with two condition variables between producers, which allocate and fill them, and
 * consumers, which take a checksum and free them. queue [MESSAGES] */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { PRODUCERS = 2, CONSUMERS = 2, ROOM = 32, LENGTH = 256 };

typedef struct message {
    uint32_t length;
    uint8_t text[LENGTH];
} message;

static struct {
    pthread_mutex_t lock;
    pthread_cond_t not_empty, not_full;
    message *item[ROOM];
    unsigned head, used, producing;
} queue = {.lock = PTHREAD_MUTEX_INITIALIZER,
           .not_empty = PTHREAD_COND_INITIALIZER,
           .not_full = PTHREAD_COND_INITIALIZER,
           .producing = PRODUCERS};
static unsigned messages = 40000; /* of each producer */
static uint32_t table[256];       /* of CRC-32 */

static void put(message *item) {
    pthread_mutex_lock(&queue.lock);
    while (queue.used == ROOM)
        pthread_cond_wait(&queue.not_full, &queue.lock);
    queue.item[(queue.head + queue.used++) % ROOM] = item;
    pthread_cond_signal(&queue.not_empty);
    pthread_mutex_unlock(&queue.lock);
}

static message *get(void) {
    message *item = NULL;
    pthread_mutex_lock(&queue.lock);
    while (queue.used == 0 && queue.producing > 0)
        pthread_cond_wait(&queue.not_empty, &queue.lock);
    if (queue.used > 0) {
        item = queue.item[queue.head];
        queue.head = (queue.head + 1) % ROOM;
        queue.used--;
        pthread_cond_signal(&queue.not_full);
    }
    pthread_mutex_unlock(&queue.lock);
    return item;
}

static void *produce(void *argument) {
    uint32_t x = (uint32_t)(uintptr_t)argument + 1;
    for (unsigned i = 0; i < messages; i++) {
        message *m = malloc(sizeof *m);
        if (!m)
            abort();
        m->length = LENGTH / 2 + (x >> 20) % (LENGTH / 2);
        for (uint32_t k = 0; k < m->length; k++) {
            x = x * 1664525 + 1013904223;
            m->text[k] = (uint8_t)(x >> 24);
        }
        put(m);
    }
    pthread_mutex_lock(&queue.lock);
    queue.producing--;
    pthread_cond_broadcast(&queue.not_empty);
    pthread_mutex_unlock(&queue.lock);
    return NULL;
}

static void *consume(void *argument) {
    uint64_t *sum = argument;
    for (message *m; (m = get());) {
        uint32_t crc = ~0u;
        for (uint32_t k = 0; k < m->length; k++)
            crc = crc >> 8 ^ table[(crc ^ m->text[k]) & 255];
        *sum += ~crc;
        free(m);
    }
    return NULL;
}

int main(int argc, char **argv) {
    if (argc > 1)
        messages = (unsigned)atoi(argv[1]);
    for (uint32_t i = 0; i < 256; i++) {
        table[i] = i;
        for (int bit = 0; bit < 8; bit++)
            table[i] = table[i] >> 1 ^ (-(table[i] & 1) & 0xedb88320u);
    }
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
