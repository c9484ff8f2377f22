// SPDX-License-Identifier: Apache-2.0
// A signal that is sent to a thread as soon as that is created: its handler may run before the thread's own function
// begins, and after the call that sent it in any case. The twin writes once more when it is sent.
// twin: data
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>

static int data;
static sem_t came;

static void handler(int number) {
    (void)number;
    printf("%d\n", data);
    sem_post(&came);
}

static void *worker(void *unused) {
    while (sem_wait(&came))
        ;
    return unused;
}

int main(void) {
    struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART};
    pthread_t thread;
    sigaction(SIGUSR1, &action, NULL);
    sem_init(&came, 0, 0);
    if (pthread_create(&thread, NULL, worker, NULL))
        return 1;
    data = 1;
    pthread_kill(thread, SIGUSR1);
#ifdef TWIN
    data = 2;
#endif
    pthread_join(thread, NULL);
    return 0;
}
