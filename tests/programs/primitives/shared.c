/* SPDX-License-Identifier: Apache-2.0 */
/* Objects that two processes share: each of them in memory that fork leaves to both, used by threads of both. */
#define _GNU_SOURCE
#include "check.h"
#include "shared_kinds.h"

#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ROUNDS = 50 };

struct shared {
    pthread_mutex_t mutex, robust;
    pthread_rwlock_t rwlock;
    pthread_spinlock_t spin;
    pthread_cond_t cond;
    pthread_barrier_t barrier;
    sem_t mine, yours;
    long by_mutex, by_rwlock, by_spin, turn;
};
static struct shared *s;

static void *work(void *unused) {
    (void)unused;
    for (int i = 0; i < ROUNDS; i++) {
        CHECK(!pthread_mutex_lock(&s->mutex));
        s->by_mutex++;
        CHECK(!pthread_mutex_unlock(&s->mutex));
        CHECK(!pthread_rwlock_wrlock(&s->rwlock));
        s->by_rwlock++;
        CHECK(!pthread_rwlock_unlock(&s->rwlock));
        CHECK(!pthread_rwlock_rdlock(&s->rwlock) && !pthread_rwlock_unlock(&s->rwlock));
        CHECK(!pthread_spin_lock(&s->spin));
        s->by_spin++;
        CHECK(!pthread_spin_unlock(&s->spin));
    }
    pthread_barrier_wait(&s->barrier);
    return NULL;
}

static void take_turns(int me) {
    for (int i = 0; i < ROUNDS; i++) {
        pthread_mutex_lock(&s->mutex);
        while (s->turn % 2 != me)
            CHECK(!pthread_cond_wait(&s->cond, &s->mutex));
        s->turn++;
        pthread_cond_broadcast(&s->cond);
        pthread_mutex_unlock(&s->mutex);
        if (me) {
            CHECK(!sem_post(&s->mine) && !sem_wait(&s->yours));
        } else {
            CHECK(!sem_wait(&s->mine) && !sem_post(&s->yours));
        }
    }
}

static void init(void) {
    init_kinds();
    CHECK(!pthread_mutex_init(&s->mutex, &m) && !pthread_rwlock_init(&s->rwlock, &r));
    pthread_mutexattr_setrobust(&m, PTHREAD_MUTEX_ROBUST);
    CHECK(!pthread_mutex_init(&s->robust, &m) && !pthread_cond_init(&s->cond, &c));
    CHECK(!pthread_barrier_init(&s->barrier, &b, 4) && !pthread_spin_init(&s->spin, PTHREAD_PROCESS_SHARED));
    CHECK(!sem_init(&s->mine, 1, 0) && !sem_init(&s->yours, 1, 0));
}

int main(void) {
    s = mmap(NULL, sizeof *s, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    CHECK(s != MAP_FAILED);
    init();
    pid_t child = fork();
    CHECK(child >= 0);
    pthread_t t;
    CHECK(!pthread_create(&t, NULL, work, NULL));
    work(NULL);
    pthread_join(t, NULL);
    take_turns(child == 0);
    if (!child) {
        CHECK(!pthread_mutex_lock(&s->robust));
        _exit(0); /* with it */
    }
    int status;
    CHECK(waitpid(child, &status, 0) == child && !status);
    CHECK(pthread_mutex_lock(&s->robust) == EOWNERDEAD && !pthread_mutex_consistent(&s->robust));
    CHECK(!pthread_mutex_unlock(&s->robust));
    printf("shared %ld %ld %ld %ld\n", s->by_mutex, s->by_rwlock, s->by_spin, s->turn);
}
