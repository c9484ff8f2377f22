/* SPDX-License-Identifier: Apache-2.0 */
/* What the programs here have in common: the code that is not recorded (apart.c), a lock that the twin does not take, and two threads of
 * one function. */
#include <pthread.h>

void apart_lock(void);
void apart_unlock(void);
int apart(void *given);
void apart_wait(int milliseconds);
int apart_call(int (*back)(void *), void *given);

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static inline void enter(void) {
#ifndef TWIN
    pthread_mutex_lock(&lock);
#endif
}

static inline void leave(void) {
#ifndef TWIN
    pthread_mutex_unlock(&lock);
#endif
}

static inline void run_two(void *(*work)(void *)) {
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
}
