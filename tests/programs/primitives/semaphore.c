/* SPDX-License-Identifier: Apache-2.0 */
/* Semaphores, named ones too: they count, waits give up in time, errno is the program's own. */
#define _GNU_SOURCE
#include "check.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdint.h>
#include <time.h>
#include <unistd.h>

static sem_t slots, items, lock;
static int buffer[3], in, out;
static long sum;

static void *put(void *unused) {
    (void)unused;
    for (int i = 1; i <= 200; i++) {
        CHECK(!sem_wait(&slots));
        CHECK(!sem_wait(&lock));
        buffer[in++ % 3] = i;
        CHECK(!sem_post(&lock));
        CHECK(!sem_post(&items));
    }
    return NULL;
}

static void *take(void *unused) {
    (void)unused;
    struct timespec far = {.tv_sec = 1L << 33};
    for (int i = 1; i <= 200; i++) {
        errno = 77;
        switch (i % 4) {
        case 0: CHECK(!sem_timedwait(&items, &far)); break;
        case 1: CHECK(!sem_clockwait(&items, CLOCK_MONOTONIC, &far)); break;
        case 2: CHECK(!sem_wait(&items)); break;
        default:
            while (sem_trywait(&items)) {
                CHECK(errno == EAGAIN);
                sched_yield();
                errno = 77;
            }
        }
        CHECK(errno == 77);
        CHECK(!sem_wait(&lock));
        sum += buffer[out++ % 3];
        CHECK(!sem_post(&lock));
        CHECK(!sem_post(&slots));
    }
    return NULL;
}

static void *answer(void *named) {
    CHECK(!sem_wait(named));
    CHECK(!sem_post(&items));
    return NULL;
}

int main(void) {
    pthread_t t[4];
    CHECK(!sem_init(&slots, 0, 3) && !sem_init(&items, 0, 0) && !sem_init(&lock, 0, 1));
    CHECK(sem_init(&lock, 0, (unsigned)SEM_VALUE_MAX + 1) == -1 && errno == EINVAL);
    for (int i = 0; i < 4; i++)
        pthread_create(&t[i], NULL, i % 2 ? put : take, NULL);
    for (int i = 0; i < 4; i++)
        pthread_join(t[i], NULL);
    int value = -1;
    CHECK(!sem_getvalue(&slots, &value) && value == 3);
    CHECK(!sem_getvalue(&items, &value) && value == 0);
    struct timespec past = {0}, soon;
    CHECK(sem_timedwait(&items, &past) == -1 && errno == ETIMEDOUT);
    clock_gettime(CLOCK_MONOTONIC, &soon);
    soon.tv_sec += (soon.tv_nsec + 2000000) / 1000000000;
    soon.tv_nsec = (soon.tv_nsec + 2000000) % 1000000000;
    CHECK(sem_clockwait(&items, CLOCK_MONOTONIC, &soon) == -1 && errno == ETIMEDOUT);
    past.tv_nsec = -1;
    CHECK(sem_timedwait(&items, &past) == -1 && errno == EINVAL);
    CHECK(sem_trywait(&items) == -1 && errno == EAGAIN);

    char name[40];
    snprintf(name, sizeof name, "/recipe-primitives-%ld", (long)getpid());
    sem_t *named = sem_open(name, O_CREAT | O_EXCL, 0600, 0), *again = sem_open(name, 0);
    CHECK(named != SEM_FAILED && again == named);
    pthread_create(&t[0], NULL, answer, named);
    CHECK(!sem_post(again));
    CHECK(!sem_wait(&items));
    pthread_join(t[0], NULL);
    CHECK(!sem_close(again) && !sem_close(named) && !sem_unlink(name));
    CHECK(!sem_destroy(&slots) && !sem_destroy(&items) && !sem_destroy(&lock));
    printf("semaphore %ld\n", sum);
}
