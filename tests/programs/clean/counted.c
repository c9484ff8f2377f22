/* SPDX-License-Identifier: Apache-2.0 */
/* Soundness 7: who waits for two units has both posts before it; read locks share, a write lock does not; a recursive
 * mutex is free only when it was unlocked as often as locked. */
#define OWN_MAIN
#include "trap.h"

#include <semaphore.h>

static sem_t units;
static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
static pthread_mutex_t deep;
static int w, x;

static void enter(void) {
    pthread_mutex_lock(&deep);
    pthread_mutex_lock(&deep);
    pthread_mutex_unlock(&deep);
    x++;
    pthread_mutex_unlock(&deep);
}

static void T1(void) {
    enter();
    pthread_rwlock_wrlock(&rw);
    v = 1;
    pthread_rwlock_unlock(&rw);
    sem_post(&units);
    ONLY_RACY(w = 2;)
}

static void T2(void) {
    enter();
    pthread_rwlock_rdlock(&rw);
    printed = v;
    pthread_rwlock_unlock(&rw);
    w = 1;
    sem_post(&units);
}

int main(void) {
    pthread_t one, two;
    pthread_mutexattr_t recursive;
    pthread_mutexattr_init(&recursive);
    pthread_mutexattr_settype(&recursive, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&deep, &recursive);
    sem_init(&units, 0, 0);
    if (pthread_create(&one, NULL, first, NULL) || pthread_create(&two, NULL, second, NULL))
        return 1;
    sem_wait(&units);
    sem_wait(&units);
    printed += w;
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    printf("%d\n", printed);
    return 0;
}
