/* SPDX-License-Identifier: Apache-2.0 */
/* Threads that libc makes by itself call back: a timer's, asynchronous input's. */
#define _GNU_SOURCE
#include "check.h"

#include <aio.h>
#include <semaphore.h>
#include <signal.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static sem_t rang, finished;
static int rings;
static void ring(union sigval value) {
    CHECK(value.sival_int == 5);
    __atomic_fetch_add(&rings, 1, __ATOMIC_RELAXED);
    sem_post(&rang);
}
static void read_it(union sigval value) {
    CHECK(value.sival_ptr == &finished);
    sem_post(&finished);
}

int main(void) {
    sem_init(&rang, 0, 0);
    sem_init(&finished, 0, 0);
    struct sigevent event = {.sigev_notify = SIGEV_THREAD, .sigev_notify_function = ring, .sigev_value.sival_int = 5};
    timer_t timer;
    struct itimerspec often = {{0, 1000000}, {0, 1000000}};
    CHECK(!timer_create(CLOCK_MONOTONIC, &event, &timer) && !timer_settime(timer, 0, &often, NULL));
    for (int i = 0; i < 3; i++)
        while (sem_wait(&rang))
            ;
    CHECK(!timer_delete(timer) && __atomic_load_n(&rings, __ATOMIC_RELAXED) >= 3);

    FILE *f = tmpfile();
    CHECK(f && fputs("asynchronous", f) >= 0 && !fflush(f));
    static char text[16];
    struct aiocb request = {.aio_fildes = fileno(f), .aio_buf = text, .aio_nbytes = 12};
    request.aio_sigevent = (struct sigevent){
        .sigev_notify = SIGEV_THREAD, .sigev_notify_function = read_it, .sigev_value.sival_ptr = &finished};
    CHECK(!aio_read(&request));
    while (sem_wait(&finished))
        ;
    CHECK(!aio_error(&request) && aio_return(&request) == 12 && !strcmp(text, "asynchronous"));
    puts("timer_thread: fine");
}
