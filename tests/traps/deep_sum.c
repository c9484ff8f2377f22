/* SPDX-License-Identifier: Apache-2.0 */
/* A thread adds up a thousand numbers that another one writes under the same lock, and goes by the sum: it comes to `plain`
 * only where it has found all of them. */
// twin: plain
#include <pthread.h>

enum { COUNT = 1000 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int numbers[COUNT];
static int plain;

static void *writes(void *nothing) {
    plain = 1;
    pthread_mutex_lock(&lock);
    for (int i = 0; i < COUNT; i++)
        numbers[i] = 1;
    pthread_mutex_unlock(&lock);
    return nothing;
}

static void *adds(void *nothing) {
    int sum = 0;
    pthread_mutex_lock(&lock);
    for (int i = 0; i < COUNT; i++)
        sum += numbers[i];
    pthread_mutex_unlock(&lock);
#ifdef TWIN
    if (sum >= 0)
#else
    if (sum == COUNT)
#endif
        plain++;
    return nothing;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, writes, NULL);
    pthread_create(&threads[1], NULL, adds, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
