/* SPDX-License-Identifier: Apache-2.0 */
/* Workers who find no job say that they sleep, and sleep; who gives a job wakes somebody only if one has said so. A
 * worker looks for a job first and says so after that: what comes in between wakes nobody. The wake-up waiting race of
 * Saltzer (MAC-TR-30, 1966); Birrell, An Introduction to Programming with Threads (1989), warns of the shortcut that
 * leads there.
 * Reachable: a worker sees that there is no job, and is held up; main gives the jobs, sees no sleeper, and waits for
 * the workers' ends; the other worker takes one and ends; this one says that it sleeps, and sleeps for ever.
 */
/* expect: deadlock more */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

enum { WORKERS = 2 };

static atomic_int jobs, sleepers, done;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t more = PTHREAD_COND_INITIALIZER;
static int wakes; /* under the lock: who is woken, and has not noticed */

static int take(void) {
    int left = atomic_load(&jobs);
    while (left)
        if (atomic_compare_exchange_weak(&jobs, &left, left - 1))
            return 1;
    return 0;
}

static void wait_for_more(void) {
    pthread_mutex_lock(&lock);
    atomic_fetch_add(&sleepers, 1);
#ifdef CLEAN
    if (!atomic_load(&jobs)) /* said first, looked then */
#endif
    {
        while (!wakes)
            pthread_cond_wait(&more, &lock);
        wakes--;
    }
    atomic_fetch_sub(&sleepers, 1);
    pthread_mutex_unlock(&lock);
}

static void give(void) {
    atomic_fetch_add(&jobs, 1);
    if (!atomic_load(&sleepers))
        return;
    pthread_mutex_lock(&lock);
    wakes++;
    pthread_cond_signal(&more);
    pthread_mutex_unlock(&lock);
}

static void *worker(void *unused) {
    while (!take())
        wait_for_more();
    atomic_fetch_add(&done, 1);
    return unused;
}

int main(void) {
    pthread_t workers[WORKERS];
    for (int i = 0; i < WORKERS; i++)
        pthread_create(&workers[i], NULL, worker, NULL);
    for (int i = 0; i < WORKERS; i++)
        give();
    for (int i = 0; i < WORKERS; i++)
        pthread_join(workers[i], NULL);
    printf("%d\n", atomic_load(&done));
}
