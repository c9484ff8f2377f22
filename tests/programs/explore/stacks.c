/* SPDX-License-Identifier: Apache-2.0 */
/* races: 1 2 2
 * The first thread is over before the second one is made, and nobody has joined it: each has a stack of its
 * own, so that a run can be thought out in which both are there, and both write 'last'. */
#include <pthread.h>
#include <sched.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int done, last;

static void *work(void *unused) {
    pthread_mutex_lock(&lock);
    done++;
    pthread_mutex_unlock(&lock);
    if (done == 2) /* the last one, or so it thinks */
        last = 1;
    return unused;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, work, NULL);
    sched_yield();
    pthread_create(&threads[1], NULL, work, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
