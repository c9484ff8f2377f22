/* SPDX-License-Identifier: Apache-2.0 */
/* A race, and around it everything that a program can learn of time, random numbers, files and ids: whatever it is told
 * in a replay, no run of it may find a contradiction. It prints 'bad' and what is wrong where it does. Threads ask under a
 * lock, so what one was told comes before what the next is told, in every schedule. */
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

static volatile int x; /* racy */
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static long last_monotonic, last_wall, last_coarse_wall, first_distance;
static int numbers, given[8];

static void bad(const char *what, long a, long b) { printf("bad: %s: %ld and %ld\n", what, a, b); }

static long now(clockid_t clock) {
    struct timespec at;
    clock_gettime(clock, &at);
    return at.tv_sec * 1000000000 + at.tv_nsec;
}

/* The lock is held. */
static void ask(void) {
    struct timeval day;
    long monotonic = now(CLOCK_MONOTONIC), wall = now(CLOCK_REALTIME);
    gettimeofday(&day, NULL);
    long of_day = day.tv_sec * 1000000000 + day.tv_usec * 1000, seconds = (long)time(NULL) * 1000000000;
    long raw = syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &(struct timespec){0});
    if (monotonic < last_monotonic)
        bad("monotonic time goes back", last_monotonic, monotonic);
    if (wall < last_wall)
        bad("wall time goes back", last_wall, wall);
    if (of_day < wall - 1000 || of_day < last_coarse_wall - 1000)
        bad("gettimeofday goes back", wall, of_day);
    if (seconds > of_day || seconds < of_day - 1100000000)
        bad("time() is elsewhere", of_day, seconds);
    if (raw)
        bad("syscall", raw, 0);
    if (!first_distance)
        first_distance = wall - monotonic;
    if (labs(wall - monotonic - first_distance) > 500000000)
        bad("the clocks drift apart", first_distance, wall - monotonic);
    last_monotonic = monotonic, last_wall = wall, last_coarse_wall = of_day;
}

static void use_cpu(void) {
    for (int i = 0; i < 20; i++)
        x += i;
}

/* Three ways to let time pass. */
static void wait_otherwise(int who) {
    long began = now(CLOCK_MONOTONIC), until = began + 7000000;
    struct timespec at = {until / 1000000000, until % 1000000000};
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, NULL);
    if (now(CLOCK_MONOTONIC) < until)
        bad("it slept until a time that has not come", until, now(CLOCK_MONOTONIC));
    began = now(CLOCK_BOOTTIME);
    poll(NULL, 0, 5 * who);
    if (now(CLOCK_BOOTTIME) < began + 5000000l * who)
        bad("poll is over too early", began, now(CLOCK_BOOTTIME));
    int timer = timerfd_create(CLOCK_MONOTONIC, 0);
    began = now(CLOCK_MONOTONIC);
    struct itimerspec in = {.it_value = {0, 9000000}};
    unsigned long times;
    timerfd_settime(timer, 0, &in, NULL);
    usleep(who == 1 ? 1000 : 20000);
    if (read(timer, &times, sizeof times) != sizeof times || now(CLOCK_MONOTONIC) < began + 9000000)
        bad("the timer goes off too early", began, now(CLOCK_MONOTONIC));
    close(timer);
}

static void *work(void *argument) {
    int who = *(int *)argument;
    struct rusage before, after;
    pthread_mutex_lock(&m);
    ask();
    given[numbers++] = rand();
    long began = now(CLOCK_MONOTONIC), cpu = now(CLOCK_THREAD_CPUTIME_ID);
    getrusage(RUSAGE_SELF, &before);
    pthread_mutex_unlock(&m);
    use_cpu();
    wait_otherwise(who);
    usleep(who * 60000);
    pthread_mutex_lock(&m);
    long slept = now(CLOCK_MONOTONIC) - began, used = now(CLOCK_THREAD_CPUTIME_ID) - cpu;
    getrusage(RUSAGE_SELF, &after);
    if (slept < who * 60000000l)
        bad("the sleep is too short", who * 60000000l, slept);
    if (used < 0 || used > slept)
        bad("the CPU clock is wrong", slept, used);
    if (after.ru_utime.tv_sec < before.ru_utime.tv_sec)
        bad("the process's CPU time goes back", before.ru_utime.tv_sec, after.ru_utime.tv_sec);
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += 30000000;
    if (until.tv_nsec >= 1000000000)
        until.tv_sec++, until.tv_nsec -= 1000000000;
    while (!pthread_cond_timedwait(&c, &m, &until))
        ;
    long wall = now(CLOCK_REALTIME), deadline = until.tv_sec * 1000000000 + until.tv_nsec;
    if (wall < deadline)
        bad("the deadline has not come", deadline, wall);
    ask();
    given[numbers++] = rand();
    pthread_mutex_unlock(&m);
    use_cpu();
    return argument;
}

int main(void) {
    pthread_t threads[2];
    int who[2] = {1, 2}, kept = open("made", O_CREAT | O_WRONLY | O_TRUNC, 0666);
    struct stat facts;
    unsigned char random[8], device[8];
    srand(5);
    if (write(kept, "x", 1) != 1 || fstat(kept, &facts))
        bad("the file", 0, 0);
    pthread_mutex_lock(&m);
    ask();
    if (facts.st_mtim.tv_sec > last_wall / 1000000000)
        bad("the file is from the future", (long)facts.st_mtim.tv_sec, last_wall / 1000000000);
    pthread_mutex_unlock(&m);
    int from = open("/dev/urandom", O_RDONLY);
    if (getrandom(random, sizeof random, 0) != sizeof random || read(from, device, sizeof device) != sizeof device)
        bad("random numbers", 0, 0);
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, work, &who[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    /* Whoever asked first was given the first one. */
    srand(5);
    for (int i = 0; i < numbers; i++)
        if (rand() != given[i])
            bad("rand is out of order", i, given[i]);
    printf("random");
    for (int i = 0; i < 8; i++)
        printf(" %02x%02x", random[i], device[i]);
    printf("\nended\n");
    return 0;
}
