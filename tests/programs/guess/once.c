/* SPDX-License-Identifier: Apache-2.0 */
/* Hundreds of times two threads count under a lock that nobody sees; the twin does once without it. */
#include <pthread.h>
#include <stdio.h>

void beside_lock(void);
void beside_unlock(void);

enum { TIMES = 500, WITHOUT = 277 };
static long total;

static void *count(void *twin) {
    for (int i = 0; i < TIMES; i++) {
        const int is_without = twin && i == WITHOUT;
        if (!is_without)
            beside_lock();
        total += i;
        if (!is_without)
            beside_unlock();
    }
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    void *twin = NULL;
#ifdef TWIN
    twin = &total;
#endif
    pthread_create(&threads[0], NULL, count, NULL);
    pthread_create(&threads[1], NULL, count, twin);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    printf("%d\n", total > 0);
    return 0;
}
