/* SPDX-License-Identifier: Apache-2.0 */
/* A race in a program whose child tells it the time: they must be of one world. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static volatile int x; /* racy */

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;

/* A deadline comes by the system's clock here, whatever the schedule would like. */
static void wait_a_while(void) {
    struct timespec until, now;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += (until.tv_nsec + 50000000) / 1000000000; /* the same events, whatever the time is */
    until.tv_nsec = (until.tv_nsec + 50000000) % 1000000000;
    pthread_mutex_lock(&m);
    while (!pthread_cond_timedwait(&c, &m, &until))
        ;
    pthread_mutex_unlock(&m);
    clock_gettime(CLOCK_REALTIME, &now);
    if ((now.tv_sec - until.tv_sec) * 1000000000 + now.tv_nsec - until.tv_nsec < 0)
        puts("bad: the deadline has not come");
}

static void *work(void *argument) {
    wait_a_while();
    x++;
    return argument;
}

int main(void) {
    int ends[2];
    long theirs, ours;
    pthread_t threads[2];
    if (pipe(ends))
        return 2;
    pid_t child = fork();
    if (!child) {
        theirs = (long)time(NULL);
        _exit(write(ends[1], &theirs, sizeof theirs) != sizeof theirs);
    }
    if (read(ends[0], &theirs, sizeof theirs) != sizeof theirs)
        return 2;
    waitpid(child, NULL, 0);
    ours = (long)time(NULL);
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    puts(labs(ours - theirs) > 1 ? "bad: the child's clock is another" : "ended");
    return 0;
}
