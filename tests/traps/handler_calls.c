// SPDX-License-Identifier: Apache-2.0
// A handler that is not recorded and calls functions that are: they run after the call that queued the signal, the
// second one as the first. The twin writes once more when it is queued.
// twin: data
// plain: handler_calls.c
#define _GNU_SOURCE
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>

void install_left_out(int number);
void handled(int again);

static int data, more;
static pthread_t waiting;
static sem_t came;

void handled(int again) {
    printf("%d\n", again ? more : data);
    if (again)
        sem_post(&came);
}

static void *worker(void *unused) {
    data = 1;
    more = 1;
    pthread_sigqueue(waiting, SIGUSR1, (union sigval){.sival_int = 2});
#ifdef TWIN
    data = 2;
#endif
    return unused;
}

int main(void) {
    pthread_t thread;
    install_left_out(SIGUSR1);
    sem_init(&came, 0, 0);
    waiting = pthread_self();
    if (pthread_create(&thread, NULL, worker, NULL))
        return 1;
    sem_wait(&came);
    pthread_join(thread, NULL);
    return 0;
}
