// SPDX-License-Identifier: Apache-2.0
// A library asks for what another thread has set: a timer, a signal's handler; or it waits for the signal. Who is told comes
// after it. The twin's reader calls a library's function that nobody knows, either, but that asks for nothing: so nothing tells
// it of the writer, who sets both after its write.
// twin: raced
// exact: what code that is not recorded has to do with signals is known
// library: share_library.c
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>

int runs_timer(void);
int has_handler(int number);
void waits_for(int number);

static void handler(int number) { (void)number; }

#ifdef TWIN
static int raced;

static void *sets(void *unused) {
    struct itimerval hour = {.it_value.tv_sec = 3600};
    raced = 1;
    signal(SIGPROF, handler);
    setitimer(ITIMER_PROF, &hour, NULL);
    return unused;
}

static void *asks(void *unused) { return a64l("recipe") && raced ? unused : NULL; }
#else
static int timed, handled, awaited;

static void *sets(void *unused) {
    struct itimerval hour = {.it_value.tv_sec = 3600}, soon = {.it_value.tv_usec = 1000};
    handled = 1;
    signal(SIGPROF, handler);
    timed = 1;
    setitimer(ITIMER_PROF, &hour, NULL);
    awaited = 1;
    setitimer(ITIMER_REAL, &soon, NULL);
    return unused;
}

static void *asks(void *unused) {
    while (!has_handler(SIGPROF))
        sched_yield();
    printf("%d\n", handled);
    while (!runs_timer())
        sched_yield();
    printf("%d\n", timed);
    waits_for(SIGALRM);
    printf("%d\n", awaited);
    return unused;
}
#endif

int main(void) {
    pthread_t thread;
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGALRM);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    if (pthread_create(&thread, NULL, asks, NULL))
        return 1;
    sets(NULL); // which does not end before the other asks: a function that nobody knows may see that
    pthread_join(thread, NULL);
    return 0;
}
