/* SPDX-License-Identifier: Apache-2.0 */
/* race: numbers */
/* The library sorts what another thread writes, and calls back while it does. */
#include <pthread.h>
#include <stdlib.h>

static int numbers[32], calls;

static int compare(const void *a, const void *b) {
    calls++;
    return *(const int *)a - *(const int *)b;
}

static void *work(void *unused) {
    numbers[5] = 1000;
    return unused;
}

int main(void) {
    pthread_t a;
    for (int i = 0; i < 32; i++)
        numbers[i] = (i * 37) % 32;
    pthread_create(&a, NULL, work, NULL);
    numbers[5] += 3;
    pthread_join(a, NULL);
    qsort(numbers, 32, sizeof *numbers, compare);
    for (int i = 1; i < 32; i++)
        if (numbers[i - 1] > numbers[i])
            return 1;
    return !calls;
}
