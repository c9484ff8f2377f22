/* SPDX-License-Identifier: Apache-2.0 */
/* Objects that processes may share, and at first only one process has: a thread waits for each of them when it forks, and
 * the child ends the wait. */
#define _GNU_SOURCE
#include "check.h"
#include "shared_kinds.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

struct shared {
    pthread_mutex_t mutex, guard;
    pthread_rwlock_t lock;
    pthread_cond_t cond;
    pthread_barrier_t barrier;
    sem_t sem, timed;
    atomic_int come;
    int said, by_mutex, by_lock;
};
static struct shared *s;

static void *by_mutex(void *unused) {
    s->come++;
    CHECK(!pthread_mutex_lock(&s->mutex));
    s->by_mutex++;
    CHECK(!pthread_mutex_unlock(&s->mutex));
    return unused;
}

static void *by_lock(void *unused) {
    s->come++;
    CHECK(!(unused ? pthread_rwlock_wrlock(&s->lock) : pthread_rwlock_rdlock(&s->lock)));
    s->by_lock += unused != NULL;
    CHECK(!pthread_rwlock_unlock(&s->lock));
    return unused;
}

static void *by_sem(void *unused) {
    s->come++;
    CHECK(!sem_wait(&s->sem));
    return unused;
}

static void *by_timed_sem(void *unused) {
    struct timespec at;
    clock_gettime(CLOCK_REALTIME, &at);
    at.tv_sec += 1000;
    s->come++;
    CHECK(!sem_timedwait(&s->timed, &at));
    return unused;
}

static void *by_cond(void *unused) {
    CHECK(!pthread_mutex_lock(&s->guard));
    s->come++;
    while (!s->said)
        CHECK(!pthread_cond_wait(&s->cond, &s->guard));
    CHECK(!pthread_mutex_unlock(&s->guard));
    return unused;
}

static void *by_barrier(void *unused) {
    s->come++;
    int e = pthread_barrier_wait(&s->barrier);
    CHECK(!e || e == PTHREAD_BARRIER_SERIAL_THREAD);
    return unused;
}

static void *(*const work[])(void *) = {by_mutex, by_mutex, by_lock,    by_lock,   by_sem,
                                        by_sem,   by_cond,  by_barrier, by_barrier, by_timed_sem};
enum { THREADS = sizeof work / sizeof *work };

static void init(void) {
    init_kinds();
    CHECK(!pthread_mutex_init(&s->mutex, &m) && !pthread_mutex_init(&s->guard, &m));
    CHECK(!pthread_rwlock_init(&s->lock, &r) && !pthread_cond_init(&s->cond, &c));
    CHECK(!pthread_barrier_init(&s->barrier, &b, 3));
    CHECK(!sem_init(&s->sem, 1, 0) && !sem_init(&s->timed, 1, 0));
}

static void end_waits(void) {
    for (int i = 0; i < 2; i++)
        CHECK(!sem_post(&s->sem));
    CHECK(!sem_post(&s->timed));
    CHECK(!pthread_mutex_lock(&s->guard));
    s->said = 1;
    CHECK(!pthread_cond_signal(&s->cond));
    CHECK(!pthread_mutex_unlock(&s->guard));
    by_barrier(NULL);
    by_mutex(NULL);
    by_lock(s);
}

int main(void) {
    s = mmap(NULL, sizeof *s, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    CHECK(s != MAP_FAILED);
    init();
    pthread_t t[THREADS];
    CHECK(!pthread_mutex_lock(&s->mutex) && !pthread_rwlock_wrlock(&s->lock));
    for (int i = 0; i < THREADS; i++)
        CHECK(!pthread_create(&t[i], NULL, work[i], i % 2 ? s : NULL));
    while (s->come < THREADS)
        sched_yield();
    pid_t child = fork();
    CHECK(child >= 0);
    if (!child) {
        end_waits();
        _exit(0);
    }
    CHECK(!pthread_mutex_unlock(&s->mutex) && !pthread_rwlock_unlock(&s->lock));
    for (int i = 0; i < THREADS; i++)
        pthread_join(t[i], NULL);
    int status;
    CHECK(waitpid(child, &status, 0) == child && !status);
    CHECK(!pthread_barrier_destroy(&s->barrier));
    printf("shared %d %d\n", s->by_mutex, s->by_lock);
}
