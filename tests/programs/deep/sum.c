/* SPDX-License-Identifier: Apache-2.0 */
/* `plain` is written before a lock is taken by one thread and after it was given back by the other: a race, in the other
 * order of the two critical sections. What the second thread reads in its own is not the same then; what it does is.
 * MANY: one instruction reads many times, and each time a branch hangs on it. */
#include <pthread.h>

enum { COUNT = 1000, ROUNDS = 15 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int numbers[COUNT], total, plain;

static void *writes(void *nothing) {
    plain = 1;
    pthread_mutex_lock(&lock);
    for (int i = 0; i < COUNT; i++)
        numbers[i] = 1;
    total = 0;
    pthread_mutex_unlock(&lock);
    return nothing;
}

static int add(void) {
    int sum = 0;
#ifdef MANY
    for (int k = 0; k < ROUNDS; k++)
        for (int i = 0; i < COUNT; i++)
            if (numbers[i] < 0)
                return -1;
#else
    for (int i = 0; i < COUNT; i++)
        sum += numbers[i];
#endif
    return sum;
}

static void *adds(void *nothing) {
    pthread_mutex_lock(&lock);
    total += add();
    pthread_mutex_unlock(&lock);
    plain = 2;
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
