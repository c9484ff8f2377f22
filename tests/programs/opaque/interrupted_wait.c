/* SPDX-License-Identifier: Apache-2.0 */
/* A signal's handler that is left out runs while its thread sleeps on a condition, and posts a semaphore: what it does
 * by pthreads is seen between the wait and the wake. X is written before the handler's moment, and read after the post.
 * expect: none */
#include "threads.h"
#include <semaphore.h>
#include <signal.h>

int X, seen;
static pthread_t sleeper;
static sem_t asleep, posted;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static int go;

OUTSIDE void m_post(int signal) {
    (void)signal;
    sem_post(&posted);
}

static void *first(void *unused) {
    X = 1;
    pthread_mutex_lock(&lock);
    sleeper = pthread_self();
    sem_post(&asleep);
    while (!go)
        pthread_cond_wait(&cond, &lock);
    pthread_mutex_unlock(&lock);
    return unused;
}

static void *second(void *unused) {
    sem_wait(&asleep);
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    pthread_kill(sleeper, SIGUSR1);
    sem_wait(&posted);
    seen = X;
    pthread_mutex_lock(&lock);
    go = 1;
    pthread_cond_signal(&cond);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    struct sigaction action = {.sa_handler = m_post, .sa_flags = SA_RESTART};
    sigaction(SIGUSR1, &action, NULL);
    sem_init(&asleep, 0, 0);
    sem_init(&posted, 0, 0);
    run((void *(*const[])(void *)){first, second}, 2);
    return seen != 1;
}
