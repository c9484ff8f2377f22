/* SPDX-License-Identifier: Apache-2.0 */
/* A process with threads forks; the children have threads of their own; handlers of pthread_atfork; vfork. */
#define _GNU_SOURCE
#include "check.h"

#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int total, prepared, in_parent, in_child;

static void prepare(void) {
    pthread_mutex_lock(&m);
    prepared++;
}
static void parent(void) {
    in_parent++;
    pthread_mutex_unlock(&m);
}
static void child(void) {
    in_child++;
    pthread_mutex_unlock(&m);
}

static void *add(void *arg) {
    for (int i = 0; i < 200; i++) {
        pthread_mutex_lock(&m);
        total++;
        pthread_mutex_unlock(&m);
    }
    return arg;
}

static void two_threads(void) {
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, add, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
}

static volatile int stop;
static void *keep_running(void *arg) {
    while (!__atomic_load_n(&stop, __ATOMIC_RELAXED))
        ;
    return arg;
}

static int end_of(pid_t pid) {
    int status;
    CHECK(waitpid(pid, &status, 0) == pid);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

int main(void) {
    CHECK(!pthread_atfork(prepare, parent, child));
    pthread_t busy;
    pthread_create(&busy, NULL, keep_running, NULL);
    two_threads();
    int codes = 0;
    for (int i = 0; i < 3; i++) {
        pid_t pid = fork();
        CHECK(pid >= 0);
        if (!pid) {
            CHECK(in_child == 1 && total == 400);
            two_threads();
            CHECK(total == 800);
            pid_t grandchild = fork();
            if (!grandchild)
                _exit(in_child == 2 ? 10 : 1);
            exit(end_of(grandchild) + i);
        }
        codes = codes * 100 + end_of(pid);
    }
    CHECK(prepared == 3 && in_parent == 3 && in_child == 0 && total == 400);
    pid_t quick = vfork();
    if (!quick)
        _exit(7);
    codes = codes * 100 + end_of(quick);
    __atomic_store_n(&stop, 1, __ATOMIC_RELAXED);
    pthread_join(busy, NULL);
    printf("fork: %d\n", codes);
}
