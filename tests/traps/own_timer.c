// SPDX-License-Identifier: Apache-2.0
// Timers that are descriptors of the program's own. Time has come: so much later than whatever clock was looked at before the timer was
// set. It has not come yet: so whoever looked at the clock before has found less. The twin's timer told nobody that time has come, so
// that it was set before others looked at the clock means nothing: it may have been set later. A thread waits for a pipe and for the
// timer, as one does that keeps statistics, while the main thread reads a directory, a number and its usage, and maps memory.
// twin: raced
// exact: a timer of the program's own is an object of its own
#define _GNU_SOURCE
#include <dirent.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

static int timer, ends[2];

static long now(void) {
    struct timespec is;
    clock_gettime(CLOCK_MONOTONIC, &is);
    return is.tv_sec * 1000000000 + is.tv_nsec;
}

static int set_timer(long in) {
    struct itimerspec when = {.it_value = {in / 1000000000, in % 1000000000}};
    return timerfd_settime(timer, 0, &when, NULL);
}

#ifdef TWIN
static int raced;

static void *waits(void *unused) {
    fd_set set;
    char byte;
    if (raced)
        return ends;
    FD_ZERO(&set);
    FD_SET(timer, &set);
    FD_SET(ends[0], &set);
    if (set_timer(3600000000000) || select((timer > ends[0] ? timer : ends[0]) + 1, &set, NULL, NULL, NULL) != 1)
        return ends;
    return read(ends[0], &byte, 1) == 1 ? unused : ends;
}

static int works(void) {
    struct rusage usage;
    DIR *folder = opendir("/");
    const struct dirent *entry = folder ? readdir(folder) : NULL;
    int number = 0;
    void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (!entry || sscanf("12", "%d", &number) != 1 || page == MAP_FAILED || getrusage(RUSAGE_SELF, &usage) || nice(0) < -20)
        return 0;
    return entry->d_name[0] && now() && !closedir(folder) ? number : 0;
}

int main(void) {
    pthread_t thread;
    timer = timerfd_create(CLOCK_MONOTONIC, 0);
    if (timer < 0 || pipe(ends) || pthread_create(&thread, NULL, waits, NULL) || works() != 12)
        return 1;
    raced = 1;
    if (write(ends[1], "x", 1) != 1)
        return 1;
    pthread_join(thread, NULL);
    return 0;
}
#else
enum { SPAN = 10000000 };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long base, looked_at;
static sem_t looked;
static int is_set, has_asked, saw_set, early, late;

// It sets the timer, and time comes: at least so much later than whatever clock was looked at before it was set.
static void *sets(void *unused) {
    unsigned long times;
    pthread_mutex_lock(&lock);
    is_set = !set_timer(SPAN);
    pthread_mutex_unlock(&lock);
    sem_wait(&looked);
    if (read(timer, &times, sizeof times) != sizeof times)
        return ends;
    long came = now();
    if (!saw_set && came - looked_at < SPAN)
        early = 1;
    return unused;
}

static void *looks(void *unused) {
    usleep(SPAN / 2000); // orders nothing: so long, and the values are telling
    pthread_mutex_lock(&lock);
    looked_at = now();
    saw_set = is_set;
    pthread_mutex_unlock(&lock);
    sem_post(&looked);
    early = 2;
    return unused;
}

// Time has not come yet: so whoever looked at the clock before that has found less.
static void *asks(void *unused) {
    struct pollfd wanted = {timer, POLLIN, 0};
    pthread_mutex_lock(&lock);
    int has_come = poll(&wanted, 1, 0);
    has_asked = !has_come;
    pthread_mutex_unlock(&lock);
    if (!has_come)
        late = 1;
    return unused;
}

static void *looks_late(void *unused) {
    usleep(SPAN / 1000);
    pthread_mutex_lock(&lock);
    int never = now() >= base + SPAN && !has_asked;
    pthread_mutex_unlock(&lock);
    if (never)
        late = 2;
    return unused;
}

static int run(void *(*one)(void *), void *(*other)(void *)) {
    pthread_t threads[2];
    if (pthread_create(&threads[0], NULL, one, NULL) || pthread_create(&threads[1], NULL, other, NULL))
        return 0;
    pthread_join(threads[0], NULL);
    return !pthread_join(threads[1], NULL);
}

int main(void) {
    timer = timerfd_create(CLOCK_MONOTONIC, 0);
    sem_init(&looked, 0, 0);
    if (timer < 0 || !run(sets, looks))
        return 1;
    // Another one: of the first it is known that it told.
    timer = timerfd_create(CLOCK_MONOTONIC, 0);
    int is_ready = timer >= 0 && !set_timer(SPAN);
    base = now();
    return !is_ready || !run(asks, looks_late);
}
#endif
