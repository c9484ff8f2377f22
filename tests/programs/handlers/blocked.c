/* SPDX-License-Identifier: Apache-2.0 */
/* A handler runs while its thread is in the call that the argument names, and writes what the other thread writes, too,
 * once it has sent the signal. */
#define _GNU_SOURCE
#include <linux/futex.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static int data;
static atomic_int came, done, word;
static const char *how;
static pthread_barrier_t both;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static sem_t semaphore;
static int ends[2];
static int is_open;

static void handler(int number) {
    (void)number;
    data++;
    came = 1;
}

static int is(const char *what) { return !strcmp(how, what); }

static void block(void) {
    char byte;
    if (is("read")) {
        while (read(ends[0], &byte, 1) < 0)
            ;
    } else if (is("poll")) {
        struct pollfd one = {.fd = ends[0], .events = POLLIN};
        while (poll(&one, 1, -1) < 0)
            ;
    } else if (is("sem")) {
        while (sem_wait(&semaphore))
            ;
    } else if (is("mutex")) {
        pthread_mutex_lock(&mutex);
        pthread_mutex_unlock(&mutex);
    } else if (is("cond")) {
        pthread_mutex_lock(&mutex);
        while (!is_open)
            pthread_cond_wait(&cond, &mutex);
        pthread_mutex_unlock(&mutex);
    } else if (is("futex")) {
        while (!word)
            syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, NULL);
    } else if (is("sleep")) {
        const struct timespec span = {0, 300000000};
        nanosleep(&span, NULL);
    } else if (is("pause")) {
        pause();
    } else if (is("suspend")) {
        sigset_t none;
        sigemptyset(&none);
        sigsuspend(&none);
    }
    done = 1;
}

static void release(void) {
    if (is("mutex") || is("cond")) {
        if (is("cond"))
            pthread_mutex_lock(&mutex);
        is_open = 1;
        pthread_cond_signal(&cond);
        pthread_mutex_unlock(&mutex);
    }
    word = 1;
    syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1);
    sem_post(&semaphore);
    if (write(ends[1], "", 1) != 1)
        data = -1;
}

static void *worker(void *unused) {
    if (is("suspend")) {
        sigset_t one;
        sigemptyset(&one);
        sigaddset(&one, SIGUSR1);
        pthread_sigmask(SIG_BLOCK, &one, NULL);
    }
    pthread_barrier_wait(&both);
    block();
    return unused;
}

int main(int argc, char **argv) {
    struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART};
    pthread_t thread;
    if (argc < 2)
        return 2;
    how = argv[1];
    if (argc > 2) /* its calls end with EINTR */
        action.sa_flags = 0;
    sigaction(SIGUSR1, &action, NULL);
    sem_init(&semaphore, 0, 0);
    pthread_barrier_init(&both, NULL, 2);
    if (is("mutex"))
        pthread_mutex_lock(&mutex);
    if (pipe(ends) || pthread_create(&thread, NULL, worker, NULL))
        return 1;
    pthread_barrier_wait(&both);
    pthread_kill(thread, SIGUSR1);
    data = 2;
    while (!came)
        sched_yield();
    release();
    while (is("pause") && !done) { /* the signal may have come before the call */
        pthread_kill(thread, SIGUSR1);
        sched_yield();
    }
    pthread_join(thread, NULL);
    printf("%d\n", data);
    return 0;
}
