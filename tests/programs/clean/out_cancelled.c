/* SPDX-License-Identifier: Apache-2.0 */
/* A thread that is cancelled runs its handlers after who cancelled it, wherever it was: asleep, waiting, printing. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#define OWN_MAIN
#include "trap.h"

#include <semaphore.h>
#include <time.h>
#include <unistd.h>

static pthread_t cancelled;
static int way, *word;
static sem_t never;
static pthread_mutex_t held = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t silent = PTHREAD_COND_INITIALIZER;
static const struct timespec moment = {0, 1000};

static void handle(void *unused) {
    (void)unused;
    *word = 2;
}

static void T1(void) {
    *word = 1;
    pthread_cancel(cancelled);
    ONLY_RACY(*word = 3;)
}

static void T2(void) {
    int before;
    pthread_cleanup_push(handle, NULL);
    switch (way) {
    case 0: pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, &before); break;
    case 1: nanosleep(&moment, NULL); break;
    case 2: usleep(1); break;
    case 3: sem_wait(&never); break;
    case 4:
        pthread_mutex_lock(&held);
        pthread_cond_wait(&silent, &held);
        break;
    case 5: puts("printed"); break;
    case 6: pthread_testcancel(); break;
    }
    pthread_cleanup_pop(0);
}

int main(void) {
    enum { WAYS = 7 };
    static int words[WAYS];
    sem_init(&never, 0, 0);
    setvbuf(stdout, NULL, _IONBF, 0);
    for (way = 0; way < WAYS; way++) {
        pthread_t one;
        word = &words[way];
        if (pthread_create(&cancelled, NULL, second, NULL) || pthread_create(&one, NULL, first, NULL))
            return 1;
        pthread_join(one, NULL);
        pthread_join(cancelled, NULL);
    }
    return printed;
}
