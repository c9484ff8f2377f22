/* SPDX-License-Identifier: Apache-2.0 */
/* A handler that reports a total, unless it is being changed: it looks whether that is so, and says that it reports
 * after that. In between another thread begins to change it. What handlers may touch at all: ISO C 7.14.1.1; CERT C,
 * SIG31-C (shared objects in handlers).
 * Reachable: the handler runs in the server's thread, sees that nobody changes the total, and is held up; the other
 * thread says that it changes it, sees that nobody reports, and writes; the handler reads.
 */
/* expect: race total report/change */
#define _GNU_SOURCE
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>

enum { CHANGES = 2 };

static int total;
static atomic_int is_changed; /* somebody changes the total */
static atomic_int is_read;    /* the handler reads it */
static atomic_int is_wanted;  /* the handler came when it was being changed */
static atomic_int reported;
static sem_t over;

static void report(int signal) {
    (void)signal;
#ifdef CLEAN
    atomic_store(&is_read, 1);
    if (atomic_load(&is_changed)) {
        atomic_store(&is_read, 0);
        atomic_store(&is_wanted, 1);
        return;
    }
#else
    if (atomic_load(&is_changed)) {
        atomic_store(&is_wanted, 1);
        return;
    }
    atomic_store(&is_read, 1);
#endif
    atomic_store(&reported, total);
    atomic_store(&is_read, 0);
}

static void change(int by) {
    atomic_store(&is_changed, 1);
    while (atomic_load(&is_read))
        ;
    total += by;
    if (atomic_exchange(&is_wanted, 0))
        atomic_store(&reported, total);
    atomic_store(&is_changed, 0);
}

static void *changer(void *unused) {
    for (int i = 0; i < CHANGES; i++)
        change(i + 1);
    return unused;
}

static void *server(void *unused) {
    while (sem_wait(&over))
        ; /* EINTR: the handler was here */
    return unused;
}

int main(void) {
    struct sigaction action = {.sa_handler = report};
    pthread_t threads[2];
    sigemptyset(&action.sa_mask);
    sigaction(SIGUSR1, &action, NULL);
    sem_init(&over, 0, 0);
    pthread_create(&threads[0], NULL, server, NULL);
    pthread_create(&threads[1], NULL, changer, NULL);
    pthread_kill(threads[0], SIGUSR1);
    pthread_join(threads[1], NULL);
    sem_post(&over);
    pthread_join(threads[0], NULL);
    printf("%d\n", atomic_load(&reported) <= 3);
}
