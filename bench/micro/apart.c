/* SPDX-License-Identifier: Apache-2.0 */
/* Threads that share nothing but where they begin and end: each sorts numbers of its own.
 *   apart [NUMBERS] */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { THREADS = 4 };
static size_t count = 100000;

static void sift(uint32_t *heap, size_t at, size_t n) {
    for (size_t child; (child = 2 * at + 1) < n; at = child) {
        child += child + 1 < n && heap[child + 1] > heap[child];
        if (heap[at] >= heap[child])
            return;
        uint32_t higher = heap[child];
        heap[child] = heap[at];
        heap[at] = higher;
    }
}

static void *sort(void *seed) {
    const size_t all = count;
    uint32_t *numbers = malloc(all * sizeof *numbers), x = (uint32_t)(uintptr_t)seed;
    for (size_t i = 0; i < all; i++)
        numbers[i] = x = x * 1664525 + 1013904223;
    for (size_t i = all / 2; i-- > 0;)
        sift(numbers, i, all);
    for (size_t n = all; n-- > 1;) {
        uint32_t largest = numbers[0];
        numbers[0] = numbers[n];
        numbers[n] = largest;
        sift(numbers, 0, n);
    }
    uintptr_t middle = numbers[all / 2];
    free(numbers);
    return (void *)middle;
}

int main(int argc, char **argv) {
    if (argc > 1)
        count = strtoul(argv[1], NULL, 0);
    pthread_t threads[THREADS];
    for (uintptr_t i = 0; i < THREADS; i++)
        if (pthread_create(&threads[i], NULL, sort, (void *)(i + 1)))
            return 1;
    for (int i = 0; i < THREADS; i++) {
        void *middle;
        pthread_join(threads[i], &middle);
        printf("%lu\n", (unsigned long)(uintptr_t)middle);
    }
    return 0;
}
