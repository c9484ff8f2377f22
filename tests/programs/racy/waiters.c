/* SPDX-License-Identifier: Apache-2.0 */
/* Two sleep on one condition; whoever is woken first and whoever second, both add to the sum without a lock. */
#include "threads.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int tickets, sum;

static void *waiter(void *step) {
    pthread_mutex_lock(&mutex);
    while (!tickets)
        pthread_cond_wait(&changed, &mutex);
    tickets--;
    pthread_mutex_unlock(&mutex);
    sum += *(int *)step;
    return NULL;
}

int main(void) {
    static int one = 1, two = 2;
    pthread_t a = begin(waiter, &one), b = begin(waiter, &two);
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&mutex);
        tickets++;
        pthread_cond_signal(&changed);
        pthread_mutex_unlock(&mutex);
        sched_yield();
    }
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    printf("%d\n", sum);
    return 0;
}
