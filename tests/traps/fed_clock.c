// SPDX-License-Identifier: Apache-2.0
// Under a lock time runs forward: who comes later is told no less, whatever clock was asked, and a sleep in between
// shows. A replay that gives each thread the times that it had when recorded lets it run back.
// twin: x
#include <pthread.h>
#include <stdio.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static int x;
static long last;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static long told(clockid_t clock) {
    struct timespec at;
    clock_gettime(clock, &at);
    return at.tv_sec * 1000000000 + at.tv_nsec;
}

static void *look(void *argument) {
    pthread_mutex_lock(&m);
    long now = told(CLOCK_MONOTONIC), before = last;
    last = now;
    pthread_mutex_unlock(&m);
    usleep(2000);
    long after = told(CLOCK_MONOTONIC);
#ifdef TWIN
    (void)before, (void)after;
    x++;
#else
    if (now < before || after < now + 2000000)
        x++;
#endif
    return argument;
}

int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, look, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    printf("%d\n", x);
    return 0;
}
