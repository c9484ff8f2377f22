// SPDX-License-Identifier: Apache-2.0
// A thread that names itself by gettid() and is waited for by its name under /proc: once that is gone it has ended, and
// what it wrote may be written again. A replay that tells it a recorded id finds no such name, and goes on too early.
// twin: x
// unconfirmed: that a name under /proc is gone says that a thread has ended is not known to the checkers
#define _GNU_SOURCE
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

static int x;
static atomic_int id;

static void *work(void *argument) {
    atomic_store(&id, gettid());
    x = 1;
    return argument;
}

int main(void) {
    pthread_t thread;
    char path[64];
    int named;
    pthread_create(&thread, NULL, work, NULL);
    while (!(named = atomic_load(&id)))
        usleep(100);
    snprintf(path, sizeof path, "/proc/self/task/%d", named);
#ifndef TWIN
    while (!access(path, F_OK))
        usleep(100);
#endif
    x = 2;
    pthread_join(thread, NULL);
    printf("%d\n", x);
    return 0;
}
