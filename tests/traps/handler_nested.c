// SPDX-License-Identifier: Apache-2.0
// Handlers of signals, one of which the other interrupts on a stack of its own, while their thread waits: after the
// calls that sent the signals. The twin writes once more when the first is sent.
// twin: data
#define _GNU_SOURCE
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

static int data, more;
static sem_t came;

static void inner(int number) {
    (void)number;
    printf("%d\n", more);
    sem_post(&came);
}

static void outer(int number) {
    (void)number;
    printf("%d\n", data);
    raise(SIGUSR2);
}

static void *worker(void *unused) {
    stack_t room = {.ss_sp = malloc(1 << 16), .ss_size = 1 << 16};
    sigaltstack(&room, NULL);
    while (sem_wait(&came))
        ;
    room.ss_flags = SS_DISABLE;
    sigaltstack(&room, NULL);
    free(room.ss_sp);
    return unused;
}

int main(void) {
    struct sigaction action = {.sa_handler = outer, .sa_flags = SA_RESTART};
    pthread_t thread;
    sigaction(SIGUSR1, &action, NULL);
    action = (struct sigaction){.sa_handler = inner, .sa_flags = SA_ONSTACK | SA_RESTART};
    sigaction(SIGUSR2, &action, NULL);
    sem_init(&came, 0, 0);
    if (pthread_create(&thread, NULL, worker, NULL))
        return 1;
    data = 1;
    more = 1;
    pthread_kill(thread, SIGUSR1);
#ifdef TWIN
    data = 2;
#endif
    pthread_join(thread, NULL);
    return 0;
}
