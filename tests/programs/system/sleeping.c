/* SPDX-License-Identifier: Apache-2.0 */
/* Sleeps and waits that end by the clock, or because a signal came. */
#define _GNU_SOURCE
#include "check.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static volatile sig_atomic_t rang;
static void ring(int signal) {
    (void)signal;
    rang++;
}

static void *other(void *arg) {
    volatile int *stop = arg;
    while (!__atomic_load_n(stop, __ATOMIC_RELAXED))
        ;
    return NULL;
}

static long since(const struct timespec *a) {
    struct timespec b;
    clock_gettime(CLOCK_MONOTONIC, &b);
    return (b.tv_sec - a->tv_sec) * 1000000000 + b.tv_nsec - a->tv_nsec;
}

int main(void) {
    int stop = 0;
    pthread_t t;
    sigset_t alarm_only;
    sigemptyset(&alarm_only);
    sigaddset(&alarm_only, SIGALRM);
    sigaddset(&alarm_only, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &alarm_only, NULL);
    pthread_create(&t, NULL, other, &stop); /* computes all the while, and takes no signal */
    pthread_sigmask(SIG_UNBLOCK, &alarm_only, NULL);

    struct timespec began, pause = {0, 2000000}, rest;
    clock_gettime(CLOCK_MONOTONIC, &began);
    CHECK(!nanosleep(&pause, NULL));
    CHECK(!clock_nanosleep(CLOCK_MONOTONIC, 0, &pause, NULL));
    CHECK(!usleep(2000));
    CHECK(since(&began) >= 6000000);
    struct timespec past = began;
    CHECK(!clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &past, NULL));
    CHECK(sleep(0) == 0);

    struct sigaction action = {.sa_handler = ring};
    sigaction(SIGALRM, &action, NULL);
    ualarm(2000, 2000); /* again and again: the first may come before the sleep begins */
    struct timespec day = {86400, 0};
    CHECK(nanosleep(&day, &rest) == -1 && errno == EINTR && rang > 0);
    CHECK(rest.tv_sec > 80000 && rest.tv_sec < 86400);
    CHECK(clock_nanosleep(CLOCK_MONOTONIC, 0, &day, &rest) == EINTR && rest.tv_sec > 80000);
    CHECK(sleep(86400) > 80000);
    ualarm(0, 0);

    sigset_t none;
    sigemptyset(&none);
    pthread_sigmask(SIG_BLOCK, &alarm_only, NULL);
    rang = 0;
    ualarm(1, 0);
    CHECK(sigsuspend(&none) == -1 && errno == EINTR && rang == 1);

    siginfo_t info;
    struct timespec soon = {0, 1000000};
    CHECK(sigtimedwait(&alarm_only, &info, &soon) == -1 && errno == EAGAIN);
    union sigval value = {.sival_int = 1234};
    CHECK(!sigqueue(getpid(), SIGUSR1, value));
    CHECK(sigwaitinfo(&alarm_only, &info) == SIGUSR1 && info.si_value.sival_int == 1234 && info.si_pid == getpid());
    CHECK(!raise(SIGALRM));
    int got;
    CHECK(!sigwait(&alarm_only, &got) && got == SIGALRM && rang == 1);

    pid_t child = fork();
    if (!child)
        _exit(9);
    int status;
    CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 9);
    CHECK(waitpid(-1, &status, WNOHANG) == -1 && errno == ECHILD);
    __atomic_store_n(&stop, 1, __ATOMIC_RELAXED);
    pthread_join(t, NULL);
    puts("sleeping: fine");
}
