/* SPDX-License-Identifier: Apache-2.0 */
/* Signal handlers that run on threads which wait: a handler posts what its thread waits for, and waits go on after it.
 */
#define _GNU_SOURCE
#include "check.h"

#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>

static sem_t asleep, never, posted;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static int go;

static void post(int signal) { sem_post(signal == SIGUSR1 ? &never : &posted); }

static void set(int signal, int flags) {
    struct sigaction action = {.sa_handler = post, .sa_flags = flags};
    CHECK(!sigaction(signal, &action, NULL));
}

/* The handler restarts the wait, and posts what ends it. */
static void *restarted(void *unused) {
    (void)unused;
    sem_post(&asleep);
    CHECK(!sem_wait(&never));
    return NULL;
}

/* A condition and a mutex are waited for whatever runs meanwhile. */
static void *patient(void *unused) {
    (void)unused;
    pthread_mutex_lock(&lock);
    sem_post(&asleep);
    while (!go)
        CHECK(!pthread_cond_wait(&cond, &lock));
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t t;
    CHECK(!sem_init(&asleep, 0, 0) && !sem_init(&never, 0, 0) && !sem_init(&posted, 0, 0));
    set(SIGUSR1, SA_RESTART);
    set(SIGUSR2, 0);
    pthread_create(&t, NULL, restarted, NULL);
    sem_wait(&asleep);
    CHECK(!pthread_kill(t, SIGUSR1));
    pthread_join(t, NULL);

    pthread_create(&t, NULL, patient, NULL);
    sem_wait(&asleep);
    for (int i = 0; i < 5; i++)
        CHECK(!pthread_kill(t, SIGUSR2));
    pthread_mutex_lock(&lock);
    go = 1;
    pthread_cond_signal(&cond);
    pthread_mutex_unlock(&lock);
    pthread_join(t, NULL);
    while (!sem_trywait(&posted))
        ;
    puts("handlers ok");
}
