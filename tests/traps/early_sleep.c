// SPDX-License-Identifier: Apache-2.0
// A sleep that ends early: a signal ended it, so whoever has sent it came before. The handler is not recorded. In the twin the
// sleeper looks before it knows.
// twin: data
// plain: handler.c
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

void catch_signal(int signal);

static int data, seen;

static void *sleeper(void *arg) {
    struct timespec ages = {100, 0};
#ifdef TWIN
    seen = data;
#endif
    while (!nanosleep(&ages, NULL))
        ;
    seen = data;
    while (!sleep(100))
        ;
    seen += data;
    while (!usleep(900000))
        ;
    seen += data;
    while (!clock_nanosleep(CLOCK_MONOTONIC, 0, &ages, NULL))
        ;
    seen += data;
    return arg;
}

int main(void) {
    pthread_t thread;
    catch_signal(SIGUSR1);
    pthread_create(&thread, NULL, sleeper, NULL);
    data = 1;
    while (pthread_tryjoin_np(thread, NULL)) {
        pthread_kill(thread, SIGUSR1);
        usleep(1000);
    }
    return seen != 4;
}
