/* SPDX-License-Identifier: Apache-2.0 */
/* Programs that come to wait for ever, whatever the schedule, each for another thing; 'x' is racy before that.
 *   kinds abba|self|ended|join|semaphore|condition|barrier|rwlock|once|stream|futex|child
 */
#define _GNU_SOURCE
#include <linux/futex.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static int x; /* racy */
static const char *kind;
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_barrier_t barrier;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static sem_t have[2], none;
static int word;

static int is(const char *what) { return !strcmp(kind, what); }

static void again(void) { pthread_once(&once, again); }

/* Both have their first one before either wants the other's. */
static void *cross(void *second) {
    pthread_mutex_t *mine = second ? &b : &a, *other = second ? &a : &b;
    x++;
    pthread_mutex_lock(mine);
    sem_post(&have[second != NULL]);
    sem_wait(&have[second == NULL]);
    pthread_mutex_lock(other);
    return NULL;
}

static void *leave_locked(void *unused) {
    x++;
    pthread_mutex_lock(&a);
    return unused;
}

static void *wait_for_ever(void *unused) {
    x++;
    if (is("semaphore"))
        sem_wait(&none);
    if (is("condition")) {
        pthread_mutex_lock(&a);
        for (;;)
            pthread_cond_wait(&never, &a);
    }
    if (is("barrier"))
        pthread_barrier_wait(&barrier);
    if (is("rwlock")) {
        pthread_rwlock_rdlock(&lock);
        pthread_rwlock_wrlock(&lock);
    }
    if (is("once"))
        pthread_once(&once, again);
    if (is("stream"))
        flockfile(stdout);
    if (is("futex"))
        syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0);
    if (is("join"))
        pthread_mutex_lock(&a);
    return unused;
}

static void two(void *(*first)(void *), void *(*second)(void *)) {
    pthread_t t[2];
    pthread_create(&t[0], NULL, first, NULL);
    pthread_create(&t[1], NULL, second, t);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
}

static void wait_now(void) {
    if (is("self")) {
        pthread_mutex_lock(&a);
        pthread_mutex_lock(&a);
    } else if (is("abba")) {
        two(cross, cross);
    } else if (is("ended")) {
        two(leave_locked, leave_locked);
    } else {
        if (is("stream"))
            flockfile(stdout);
        if (is("join"))
            pthread_mutex_lock(&a);
        two(wait_for_ever, wait_for_ever);
    }
}

int main(int n, char **words) {
    kind = n > 1 ? words[1] : "abba";
    sem_init(&have[0], 0, 0), sem_init(&have[1], 0, 0), sem_init(&none, 0, 0);
    pthread_barrier_init(&barrier, NULL, 3);
    fputs("printed\n", stderr);
    if (is("child")) { /* the parent goes on */
        int status = 0;
        pid_t child = fork();
        if (!child) {
            kind = "abba";
            wait_now();
        }
        waitpid(child, &status, 0);
        return WIFEXITED(status) ? 40 + WEXITSTATUS(status) : 3;
    }
    wait_now();
    return 0;
}
