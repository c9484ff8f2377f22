/* SPDX-License-Identifier: Apache-2.0 */
/* The frame of the traps about time: T1 looks at the clock, waits for a token, and looks again. T3 writes v and gives
 * it one at once, so that it was in time; but T2 gives one, too, after a long while. T1 writes v only where it was in
 * time, and then the token was T3's: no race, and no schedule in which T2 takes no time. Sprung, T1 does not look again.
 * What includes this says how T2 takes long. (Where the machine does, T1 is late, and nothing is there to be found.) */
#ifndef HURRY_H
#define HURRY_H

#define OWN_MAIN
#include "trap.h"

#include <semaphore.h>
#include <time.h>

#define SOON 500000000L /* nanoseconds */
#define LONG 900000000L

#ifdef RACY
#define IS_IN_TIME(began) ((void)(began), 1)
#else
#define IS_IN_TIME(began) (now() - (began) < SOON)
#endif

static void take_long(void);

static sem_t begun, token;

static long now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000L + t.tv_nsec;
}

__attribute__((unused)) static struct timespec later(clockid_t clock, long nanoseconds) {
    struct timespec t;
    clock_gettime(clock, &t);
    t.tv_sec += (t.tv_nsec + nanoseconds) / 1000000000L;
    t.tv_nsec = (t.tv_nsec + nanoseconds) % 1000000000L;
    return t;
}

#ifndef OWN_T1
static void T1(void) {
    long began = now();
    sem_post(&begun);
    sem_wait(&token);
    if (IS_IN_TIME(began))
        v = 1;
}
#endif

static void T2(void) {
    sem_wait(&begun);
    take_long();
    sem_post(&token);
}

#ifdef OWN_T3
static void *third(void *unused);
#else
static void *third(void *unused) {
    v = 2;
    sem_post(&token);
    return unused;
}
#endif

/* Another thread, where there is one. */
#ifdef OWN_T4
static void *fourth(void *unused);
#else
static void *fourth(void *unused) { return unused; }
#endif

int main(void) {
    pthread_t threads[4];
    void *(*const functions[4])(void *) = {first, second, third, fourth};
    sem_init(&begun, 0, 0);
    sem_init(&token, 0, 0);
    for (int i = 0; i < 4; i++)
        if (pthread_create(&threads[i], NULL, functions[i], NULL))
            return 1;
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    printf("%d\n", v);
    return 0;
}

#endif
