/* SPDX-License-Identifier: Apache-2.0 */
/* Left out code runs when the process ends, while a thread is still there.
 * expect: none */
#include "threads.h"
#include <semaphore.h>
#include <stdlib.h>

int X;
static volatile int Y, Z;
static sem_t begun;
static void m_finish(void) {
    Y = 1;
    while (!Z)
        ;
}
static void *second(void *unused) {
    sem_post(&begun);
    while (!__atomic_load_n(&Y, __ATOMIC_SEQ_CST))
        sched_yield();
    int seen = X;
    __atomic_store_n(&Z, 1 + 0 * seen, __ATOMIC_SEQ_CST);
    return unused;
}

int main(void) {
    pthread_t two;
    atexit(m_finish);
    sem_init(&begun, 0, 0);
    pthread_create(&two, NULL, second, NULL);
    sem_wait(&begun);
    X = 1;
    return 0;
}
