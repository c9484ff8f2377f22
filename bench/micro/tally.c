/* SPDX-License-Identifier: Apache-2.0 */
/* Threads that work for themselves and add to a sum in the end, without a lock: a race behind a long run.
 *   tally [ROUNDS] */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { THREADS = 3, CELLS = 4096 };
static unsigned rounds = 4000;
static uint64_t sum;

static void *work(void *seed) {
    uint32_t *cells = calloc(CELLS, sizeof *cells), x = (uint32_t)(uintptr_t)seed;
    for (unsigned r = 0; r < rounds; r++)
        for (unsigned i = 0; i < CELLS; i++) {
            x = x * 1664525 + 1013904223;
            cells[x >> 20] += cells[i] ^ x;
        }
    sum += cells[x >> 20];
    free(cells);
    return NULL;
}

int main(int argc, char **argv) {
    pthread_t threads[THREADS];
    if (argc > 1)
        rounds = (unsigned)atoi(argv[1]);
    for (uintptr_t i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, work, (void *)(i + 1));
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    printf("%llu\n", (unsigned long long)sum);
    return 0;
}
