// SPDX-License-Identifier: Apache-2.0
// A signal's handler that runs when its thread's own function is over, in a destructor of what the thread keeps that is
// not recorded: after the call that sent the signal. The twin writes once more when it has.
// twin: data
// plain: handler_waits.c
#include <pthread.h>
#include <signal.h>
#include <stdio.h>

void await_this(volatile sig_atomic_t *word);
void wait_outside_with(void *unused);

static _Alignas(64) volatile sig_atomic_t came;
static _Alignas(64) int data;
static pthread_key_t key;

static void handler(int number) {
    (void)number;
    printf("%d\n", data);
    came = 1;
}

static void *worker(void *unused) {
    pthread_setspecific(key, &key);
    return unused;
}

int main(void) {
    struct sigaction action = {.sa_handler = handler};
    pthread_t thread;
    sigaction(SIGUSR1, &action, NULL);
    await_this(&came);
    if (pthread_key_create(&key, wait_outside_with) || pthread_create(&thread, NULL, worker, NULL))
        return 1;
    data = 1;
    pthread_kill(thread, SIGUSR1);
#ifdef TWIN
    data = 2;
#endif
    pthread_join(thread, NULL);
    return 0;
}
