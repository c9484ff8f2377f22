// SPDX-License-Identifier: Apache-2.0
// A signal's handler that runs after main has returned, in a function of atexit that is not recorded: after the call
// that sent the signal. The twin writes once more when it has.
// twin: data
// plain: handler_waits.c
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

void await_this(volatile sig_atomic_t *word);
void wait_outside(void);

static _Alignas(64) volatile sig_atomic_t came;
static _Alignas(64) int data;
static pthread_t first;

static void handler(int number) {
    (void)number;
    printf("%d\n", data);
    came = 1;
}

static void *worker(void *unused) {
    data = 1;
    pthread_kill(first, SIGUSR1);
#ifdef TWIN
    data = 2;
#endif
    return unused;
}

int main(void) {
    struct sigaction action = {.sa_handler = handler};
    pthread_t thread;
    sigaction(SIGUSR1, &action, NULL);
    first = pthread_self();
    await_this(&came);
    if (atexit(wait_outside) || pthread_create(&thread, NULL, worker, NULL))
        return 1;
    pthread_detach(thread);
    return 0;
}
