// SPDX-License-Identifier: Apache-2.0
// A signal's handler in code that is not recorded: it runs when another thread has sent the signal. The twin writes once
// more when it has.
// twin: data
// plain: left_handler.c
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>

_Alignas(16) volatile sig_atomic_t came;
static _Alignas(16) int data; /* no neighbour of what the handler writes */
static pthread_t reading;
static pthread_barrier_t both;

void handle_by_left_out_code(int number);

static void *reader(void *unused) {
    pthread_barrier_wait(&both);
    while (!came)
        sched_yield();
    printf("%d\n", data);
    return unused;
}

int main(void) {
    handle_by_left_out_code(SIGUSR1);
    pthread_barrier_init(&both, NULL, 2);
    if (pthread_create(&reading, NULL, reader, NULL))
        return 1;
    pthread_barrier_wait(&both);
    data = 1;
    pthread_kill(reading, SIGUSR1);
#ifdef TWIN
    data = 2;
#endif
    pthread_join(reading, NULL);
    return 0;
}
