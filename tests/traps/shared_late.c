// SPDX-License-Identifier: Apache-2.0
// Shared memory that only this process has, with a mutex and a condition that processes may share; then it forks, while
// one thread sleeps on the condition and the one that forks has the mutex. The child hands on what one thread says:
// the other one comes after it by way of another process. The twin looks at the data before.
// twin: data
#include <pthread.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct box {
    pthread_mutex_t mutex;
    pthread_cond_t cond;
    int sleeps, question, answer;
} box;

static box *b;
static int data;

static void wait_for(const int *what) {
    while (!*what)
        pthread_cond_wait(&b->cond, &b->mutex);
}

static void say(int *what) {
    *what = 1;
    pthread_cond_broadcast(&b->cond);
}

static void *listens(void *unused) {
#ifdef TWIN
    int early = data;
#endif
    pthread_mutex_lock(&b->mutex);
    say(&b->sleeps);
    wait_for(&b->answer);
    pthread_mutex_unlock(&b->mutex);
#ifdef TWIN
    printf("%d\n", early);
#endif
    printf("%d\n", data);
    return unused;
}

static void *asks(void *unused) {
    data = 1;
    pthread_mutex_lock(&b->mutex);
    say(&b->question);
    pthread_mutex_unlock(&b->mutex);
    return unused;
}

static void hand_on(void) {
    pthread_mutex_lock(&b->mutex);
    wait_for(&b->question);
    say(&b->answer);
    pthread_mutex_unlock(&b->mutex);
    _exit(0);
}

int main(void) {
    b = mmap(NULL, sizeof *b, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (b == MAP_FAILED)
        return 1;
    pthread_mutexattr_t of_mutex;
    pthread_condattr_t of_cond;
    pthread_mutexattr_init(&of_mutex);
    pthread_mutexattr_setpshared(&of_mutex, PTHREAD_PROCESS_SHARED);
    pthread_mutex_init(&b->mutex, &of_mutex);
    pthread_condattr_init(&of_cond);
    pthread_condattr_setpshared(&of_cond, PTHREAD_PROCESS_SHARED);
    pthread_cond_init(&b->cond, &of_cond);
    pthread_t one, two;
    if (pthread_create(&one, NULL, listens, NULL) || pthread_create(&two, NULL, asks, NULL))
        return 1;
    pthread_mutex_lock(&b->mutex);
    wait_for(&b->sleeps);
    pid_t child = fork();
    if (!child)
        hand_on();
    pthread_mutex_unlock(&b->mutex);
    if (child < 0)
        return 1;
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return waitpid(child, NULL, 0) != child;
}
