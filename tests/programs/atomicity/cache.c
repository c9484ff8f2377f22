/* SPDX-License-Identifier: Apache-2.0 */
/* A cache is filled by whoever finds it empty; made outside the lock, so that two may fill it, and the first one's value
 * is overwritten while it is in use. CLEAN: the second one sees that it was filled. */
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int *cache;
static int fills;

static int *make(void) {
    int *value = malloc(sizeof *value);
    *value = 42;
    return value;
}

static void fill(int *value) {
    pthread_mutex_lock(&lock);
#ifdef CLEAN
    if (cache) {
        free(value);
        value = NULL;
    }
#endif
    if (value) {
        cache = value;
        fills++;
    }
    pthread_mutex_unlock(&lock);
}

static void *get(void *unused) {
    pthread_mutex_lock(&lock);
    int *is = cache;
    pthread_mutex_unlock(&lock);
    if (!is)
        fill(make());
    return unused;
}

int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, get, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return fills != 1;
}
