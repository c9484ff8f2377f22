/* SPDX-License-Identifier: Apache-2.0 */
/* A tight loop over shared arrays: threads add rows of one array to rows of another under a lock per row, so nearly
 * every event is a load or a store of shared memory. arrays [ROUNDS] */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { THREADS = 4, ROWS = 64, COLUMNS = 256 };

static struct row {
    pthread_mutex_t lock;
    uint32_t cell[COLUMNS];
} rows[ROWS];
static uint16_t order[COLUMNS]; /* in which a row is walked: data, so that no compiler makes vectors of the loop */
static unsigned rounds = 1000;

static void *work(void *argument) {
    unsigned id = (unsigned)(uintptr_t)argument;
    for (unsigned round = 0; round < rounds; round++)
        for (unsigned i = 0; i < ROWS; i++) {
            unsigned a = (i * 7 + id) % ROWS, b = (a + 1 + round % (ROWS - 1)) % ROWS;
            struct row *first = &rows[a < b ? a : b], *second = &rows[a < b ? b : a];
            pthread_mutex_lock(&first->lock);
            pthread_mutex_lock(&second->lock);
            for (unsigned c = 0; c < COLUMNS; c++) {
                /* Addition commutes, so the sum does not depend on the schedule. */
                rows[a].cell[order[c]] += c + id;
                rows[b].cell[order[c]] += (c ^ round) & 15;
            }
            pthread_mutex_unlock(&second->lock);
            pthread_mutex_unlock(&first->lock);
        }
    return NULL;
}

int main(int argc, char **argv) {
    if (argc > 1)
        rounds = (unsigned)atoi(argv[1]);
    for (unsigned c = 0; c < COLUMNS; c++)
        order[c] = (uint16_t)(c * 37 % COLUMNS);
    for (unsigned i = 0; i < ROWS; i++)
        pthread_mutex_init(&rows[i].lock, NULL);
    pthread_t threads[THREADS];
    for (uintptr_t i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, work, (void *)i);
    for (unsigned i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    uint64_t sum = 0;
    for (unsigned i = 0; i < ROWS; i++)
        for (unsigned c = 0; c < COLUMNS; c++)
            sum = sum * 31 + rows[i].cell[c];
    printf("%016llx\n", (unsigned long long)sum);
    return 0;
}
