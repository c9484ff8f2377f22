/* SPDX-License-Identifier: Apache-2.0 */
/* Threads that wait in the kernel are cancelled there; their cleanup handlers run. */
#define _GNU_SOURCE
#include "check.h"

#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

static int p[2], s[2];
static sem_t ready;
static int cleaned[5];

static void clean(void *arg) { cleaned[(long)arg]++; }

static void wait_in(long which) {
    char c;
    struct pollfd fd = {p[0], POLLIN, 0};
    struct timespec day = {86400, 0};
    switch (which) {
    case 0: read(p[0], &c, 1); break;
    case 1: poll(&fd, 1, -1); break;
    case 2: nanosleep(&day, NULL); break;
    case 3: recv(s[0], &c, 1, 0); break;
    case 4: pause(); break;
    }
}

static void *work(void *arg) {
    volatile int local[20];
    for (int i = 0; i < 20; i++)
        local[i] = i;
    pthread_cleanup_push(clean, arg);
    sem_post(&ready);
    for (;;)
        wait_in((long)arg + (local[7] != 7));
    pthread_cleanup_pop(0);
    return NULL;
}

int main(void) {
    CHECK(!pipe(p) && !socketpair(AF_UNIX, SOCK_STREAM, 0, s) && !sem_init(&ready, 0, 0));
    pthread_t t[5];
    for (long i = 0; i < 5; i++)
        pthread_create(&t[i], NULL, work, (void *)i);
    for (int i = 0; i < 5; i++)
        while (sem_wait(&ready))
            ;
    for (int i = 0; i < 5; i++) {
        void *result;
        CHECK(!pthread_cancel(t[i]) && !pthread_join(t[i], &result) && result == PTHREAD_CANCELED);
        CHECK(cleaned[i] == 1);
    }
    puts("cancel_blocked: fine");
}
