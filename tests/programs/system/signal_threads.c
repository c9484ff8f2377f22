/* SPDX-License-Identifier: Apache-2.0 */
/* Signals between threads: to one that waits for a lock, to one that waits for signals, to one that reads. */
#define _GNU_SOURCE
#include "check.h"

#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <unistd.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static sem_t handled, ready;
static _Thread_local int mine;

static void count(int signal) {
    (void)signal;
    mine++;
    sem_post(&handled);
}

static void *wait_for_lock(void *arg) {
    sem_post(&ready);
    pthread_mutex_lock(&m); /* a handler does not end that */
    pthread_mutex_unlock(&m);
    CHECK(mine == 1);
    return arg;
}

static int p[2];
static void *wait_for_input(void *arg) {
    char c;
    sem_post(&ready);
    CHECK(read(p[0], &c, 1) == 1 && c == 'r' && mine == 1); /* SA_RESTART */
    return arg;
}

static void *wait_for_signals(void *arg) {
    sigset_t set;
    int got, n = 0;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR2);
    sigaddset(&set, SIGTERM);
    do {
        CHECK(!sigwait(&set, &got));
        n++;
        sem_post(&handled);
    } while (got != SIGTERM);
    *(int *)arg = n;
    return NULL;
}

/* Before the thread waits or while it does: both must do. */
static void interrupt(pthread_t t) {
    CHECK(!pthread_kill(t, SIGUSR1));
    sem_wait(&handled);
}

int main(void) {
    struct sigaction action = {.sa_handler = count};
    sigaction(SIGUSR1, &action, NULL);
    sem_init(&handled, 0, 0);
    sem_init(&ready, 0, 0);
    CHECK(!pipe(p));
    pthread_t t;

    pthread_mutex_lock(&m);
    pthread_create(&t, NULL, wait_for_lock, NULL);
    sem_wait(&ready);
    interrupt(t);
    pthread_mutex_unlock(&m);
    pthread_join(t, NULL);

    action.sa_flags = SA_RESTART;
    sigaction(SIGUSR1, &action, NULL);
    pthread_create(&t, NULL, wait_for_input, NULL);
    sem_wait(&ready);
    interrupt(t);
    CHECK(write(p[1], "r", 1) == 1);
    pthread_join(t, NULL);

    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR2);
    sigaddset(&set, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    int n = 0;
    pthread_create(&t, NULL, wait_for_signals, &n);
    for (int i = 0; i < 5; i++) {
        CHECK(!kill(getpid(), i < 4 ? SIGUSR2 : SIGTERM));
        sem_wait(&handled);
    }
    pthread_join(t, NULL);
    printf("signal_threads: %d\n", n);
}
