// SPDX-License-Identifier: Apache-2.0
// A signal's handler that runs in pthread_once, while its thread waits there for another one: no routine that
// pthread_once calls, but after the call that sent the signal. The twin writes once more when it has.
// twin: data
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>

static _Alignas(64) int data;
static atomic_int began, came, waits;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void handler(int number) {
    (void)number;
    printf("%d\n", data);
    came = 1;
}

static void initialise(void) {
    began = 1;
    while (!came)
        sched_yield();
}

static void *one(void *unused) {
    pthread_once(&once, initialise);
    return unused;
}

static void *two(void *unused) {
    while (!began)
        sched_yield();
    waits = 1;
    pthread_once(&once, initialise);
    return unused;
}

int main(void) {
    struct sigaction action = {.sa_handler = handler};
    pthread_t thread[2];
    sigaction(SIGUSR1, &action, NULL);
    if (pthread_create(&thread[0], NULL, one, NULL) || pthread_create(&thread[1], NULL, two, NULL))
        return 1;
    while (!waits)
        sched_yield();
    data = 1;
    pthread_kill(thread[1], SIGUSR1);
#ifdef TWIN
    data = 2;
#endif
    pthread_join(thread[0], NULL);
    pthread_join(thread[1], NULL);
    return 0;
}
