/* SPDX-License-Identifier: Apache-2.0 */
/* A race behind a million events that all have to be told. */
#include <pthread.h>

static int shared[64], late;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *arg) {
    for (int i = 0; i < 8000; i++) {
        pthread_mutex_lock(&lock);
        for (int k = 0; k < 32; k++)
            shared[(i + k) % 64]++;
        pthread_mutex_unlock(&lock);
    }
    late++;
    return arg;
}

int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], 0, work, 0);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], 0);
    return 0;
}
