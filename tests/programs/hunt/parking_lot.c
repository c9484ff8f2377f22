/* SPDX-License-Identifier: Apache-2.0 */
/* A lock of one word, whose waiters are parked in a queue beside it. Who unlocks wakes one of them and clears the word,
 * though others are still parked: whoever has the lock next does not see them and wakes nobody. Pizlo, Locking in
 * WebKit (webkit.org, 2016): this is why unparkOne tells its caller whether there are more.
 * Reachable: one thread has the lock; the two others see that, say that they are parked, and are; the first one
 * unlocks, clears the word and wakes one; that one locks and unlocks without looking at the queue; the last one stays
 * there.
 */
/* expect: deadlock .wake */
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>

enum { LOCKED = 1, PARKED = 2 };
enum { THREADS = 3 };

struct parked {
    sem_t wake;
    struct parked *next;
};

static atomic_int word;
static struct {
    pthread_mutex_t lock;
    struct parked *first;
} lot = {PTHREAD_MUTEX_INITIALIZER, NULL};

static int balance; /* under the lock of one word */

static void park(void) {
    struct parked me;
    pthread_mutex_lock(&lot.lock);
    int is_needed = atomic_load(&word) == (LOCKED | PARKED);
    if (is_needed) {
        sem_init(&me.wake, 0, 0);
        me.next = lot.first;
        lot.first = &me;
    }
    pthread_mutex_unlock(&lot.lock);
    if (!is_needed)
        return;
    while (sem_wait(&me.wake))
        ;
    sem_destroy(&me.wake);
}

static void lock(void) {
    for (;;) {
        int seen = atomic_load(&word);
        if (!(seen & LOCKED)) {
            if (atomic_compare_exchange_strong(&word, &seen, seen | LOCKED))
                return;
        } else if (seen & PARKED || atomic_compare_exchange_strong(&word, &seen, seen | PARKED)) {
            park();
        }
    }
}

static void unlock(void) {
    int seen = LOCKED;
    if (atomic_compare_exchange_strong(&word, &seen, 0))
        return;
    pthread_mutex_lock(&lot.lock);
    struct parked *one = lot.first;
    if (one)
        lot.first = one->next;
#ifdef CLEAN
    atomic_store(&word, lot.first ? PARKED : 0);
#else
    atomic_store(&word, 0);
#endif
    pthread_mutex_unlock(&lot.lock);
    if (one)
        sem_post(&one->wake);
}

static void *deposit(void *amount) {
    lock();
    balance += *(int *)amount;
    unlock();
    return NULL;
}

int main(void) {
    int amounts[THREADS] = {1, 2, 3};
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, deposit, &amounts[i]);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    printf("%d\n", balance);
}
