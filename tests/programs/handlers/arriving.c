/* SPDX-License-Identifier: Apache-2.0 */
/* A signal comes to a thread that computes: from another thread before or after an access of its own (early), to the
 * whole process (kill, queue), from a timer (timer, alarm: to the process), from itself (raise). What it does in its
 * handler races with the other thread; of `early`, what it does before. */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static int data, before;
static atomic_int came, there;
static const char *how;

static int is(const char *what) { return !strcmp(how, what); }

static void handler(int number) {
    (void)number;
    if (!is("early"))
        data++;
    came = 1;
}

static void *worker(void *unused) {
    volatile int own = 0;
    there = 1;
    if (is("early"))
        before = 1;
    if (is("raise"))
        raise(SIGUSR1);
    while (!came)
        own++;
    return unused;
}

static void send(pthread_t thread) {
    const struct itimerval soon = {.it_value.tv_usec = 2000};
    const struct itimerspec once = {.it_value.tv_nsec = 2000000};
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR1};
    timer_t timer;
    if (is("early"))
        pthread_kill(thread, SIGUSR1);
    else if (is("kill"))
        kill(getpid(), SIGUSR1);
    else if (is("queue"))
        sigqueue(getpid(), SIGUSR1, (union sigval){.sival_int = 3});
    else if (is("alarm"))
        setitimer(ITIMER_REAL, &soon, NULL);
    else if (is("timer") && !timer_create(CLOCK_MONOTONIC, &event, &timer))
        timer_settime(timer, 0, &once, NULL);
}

int main(int argc, char **argv) {
    struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART};
    sigset_t both;
    pthread_t thread;
    if (argc < 2)
        return 2;
    how = argv[1];
    sigaction(SIGUSR1, &action, NULL);
    sigaction(SIGALRM, &action, NULL);
    if (pthread_create(&thread, NULL, worker, NULL))
        return 1;
    sigemptyset(&both);
    sigaddset(&both, SIGUSR1);
    sigaddset(&both, SIGALRM);
    pthread_sigmask(SIG_BLOCK, &both, NULL); /* the other thread's */
    while (!there)
        sched_yield();
    send(thread);
    if (is("early"))
        before = 2;
    else
        data = 2;
    pthread_join(thread, NULL);
    printf("%d %d\n", data, before);
    return 0;
}
