// SPDX-License-Identifier: Apache-2.0
// A timer's signal comes after the call that set the timer, wherever it comes: in a handler, or to whoever waits for it. And
// who is told that a timer runs comes after whoever set it. The twin sets one and a handler after its write; its reader reads
// a file before it looks, and nothing tells one of the other. (A progress bar's thread does so.)
// twin: raced
// exact: what the calls share is known, so nothing has to be guessed
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <sys/time.h>
#include <unistd.h>

static sem_t came;
static volatile sig_atomic_t seen;

#ifdef TWIN
static int raced, file;

static void handler(int number) { seen = number; }

static void *sets(void *unused) {
    struct itimerval hour = {.it_value.tv_sec = 3600};
    raced = 1;
    signal(SIGWINCH, handler);
    signal(SIGALRM, handler);
    setitimer(ITIMER_REAL, &hour, NULL);
    return unused;
}

static void *looks(void *unused) {
    char byte;
    long n = lseek(file, 0, SEEK_SET) + read(file, &byte, 1);
    return n || raced ? unused : NULL;
}
#else
static int handled, asked, awaited;

static void handler(int number) {
    seen = handled + number;
    sem_post(&came);
}

static void *sets(void *unused) {
    struct itimerval soon = {.it_value.tv_usec = 1000}, hour = {.it_value.tv_sec = 3600};
    asked = 1;
    setitimer(ITIMER_PROF, &hour, NULL);
    awaited = 1;
    setitimer(ITIMER_VIRTUAL, &hour, NULL);
    alarm(0);
    handled = 1;
    setitimer(ITIMER_REAL, &soon, NULL);
    return unused;
}

static void *looks(void *unused) {
    struct itimerval is = {0};
    while (!is.it_value.tv_sec) {
        sched_yield();
        getitimer(ITIMER_PROF, &is);
    }
    printf("%d\n", asked);
    return unused;
}

/* One that was sent is taken by whoever waits for it. */
static void *waits(void *unused) {
    sigset_t set;
    int number;
    sigemptyset(&set);
    sigaddset(&set, SIGVTALRM);
    sigwait(&set, &number);
    printf("%d\n", awaited);
    return unused;
}
#endif

int main(void) {
    pthread_t threads[3];
    sigset_t set;
    int n = 2;
    sem_init(&came, 0, 0);
    sigemptyset(&set);
    sigaddset(&set, SIGVTALRM);
#ifdef TWIN
    file = open("/dev/null", O_RDONLY);
#else
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART};
    sigaction(SIGALRM, &action, NULL);
    pthread_create(&threads[n++], NULL, waits, NULL);
#endif
    if (pthread_create(&threads[0], NULL, sets, NULL) || pthread_create(&threads[1], NULL, looks, NULL))
        return 1;
#ifndef TWIN
    while (sem_wait(&came))
        ;
    pthread_join(threads[0], NULL);
    kill(getpid(), SIGVTALRM);
#endif
    for (int i = n == 2 ? 0 : 1; i < n; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
