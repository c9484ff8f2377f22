/* SPDX-License-Identifier: Apache-2.0 */
/* Clean: what was read is compared with what is there now, and who comes too late tries again. */
#include <pthread.h>
#include <stdio.h>

enum { THREADS = 3, TIMES = 4 };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int count, retries;

static int read_count(void) {
    pthread_mutex_lock(&lock);
    int is = count;
    pthread_mutex_unlock(&lock);
    return is;
}

static int replace(int was, int is) {
    pthread_mutex_lock(&lock);
    int same = count == was;
    if (same)
        count = is;
    else
        retries++;
    pthread_mutex_unlock(&lock);
    return same;
}

static void *add(void *unused) {
    for (int i = 0; i < TIMES; i++) {
        int was;
        do
            was = read_count();
        while (!replace(was, was + 1));
    }
    return unused;
}

int main(void) {
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, add, NULL);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    printf("%d\n", count);
    return count != THREADS * TIMES;
}
