/* SPDX-License-Identifier: Apache-2.0 */
/* A lock in reach: the call waits until it sees that the lock is held. Z is written after its release, for which nobody waits.
 * expect: Z */
#include "threads.h"

int X, Z, seen, later;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
volatile int Y;

OUTSIDE void m_until_held(pthread_mutex_t *lock) {
    while (!*(volatile int *)lock)
        ;
}
OUTSIDE void m_set(volatile int *y) { *y = 1; }
OUTSIDE void m_until_set(volatile int *y) {
    while (!*y)
        ;
}

static void *first(void *unused) {
    X = 1;
    pthread_mutex_lock(&m);
    m_until_set(&Y);
    pthread_mutex_unlock(&m);
    Z = 1;
    return unused;
}

static void *second(void *unused) {
    m_until_held(&m);
    m_set(&Y);
    seen = X;
    return unused;
}

static void *third(void *unused) {
    later = Z;
    return unused;
}

int main(void) {
    run((void *(*const[])(void *)){first, second, third}, 3);
    return 0;
}
