// SPDX-License-Identifier: Apache-2.0
// A timer of SIGEV_THREAD: the C library makes a thread for it, which begins after the call that armed it. The twin
// writes once more when it is armed already.
// twin: data
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <time.h>

static int data;
static sem_t ready;

static void expired(union sigval value) {
    printf("%d %d\n", data, value.sival_int);
    sem_post(&ready);
}

int main(void) {
    timer_t timer;
    struct sigevent event = {.sigev_notify = SIGEV_THREAD, .sigev_notify_function = expired};
    event.sigev_value.sival_int = 5;
    const struct itimerspec soon = {.it_value.tv_nsec = 1000000};
    sem_init(&ready, 0, 0);
    if (timer_create(CLOCK_MONOTONIC, &event, &timer))
        return 1;
    data = 1;
    if (timer_settime(timer, 0, &soon, NULL))
        return 1;
#ifdef TWIN
    data = 2;
#endif
    sem_wait(&ready);
    data = 3;
    return 0;
}
