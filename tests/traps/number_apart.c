// SPDX-License-Identifier: Apache-2.0
// A thread that has a table of descriptors of its own closes a number there: the same number of the others' is still open.
// The twin has one table, and closes theirs.
// twin: descriptor
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <unistd.h>

static sem_t is_apart, may_use, may_close;
static int file;

static void *uses(void *unused) {
    sem_wait(&may_use);
    return write(file, "a line", 6) == 6 ? unused : NULL;
}

static void *closes(void *unused) {
#ifndef TWIN
    const int own = unshare(CLONE_FILES) ? -1 : open("/dev/null", O_WRONLY);
#endif
    sem_post(&is_apart);
    sem_wait(&may_close);
#ifdef TWIN
    const int own = file;
#endif
    close(own);
    return unused;
}

int main(void) {
    pthread_t first, second;
    sem_init(&is_apart, 0, 0);
    sem_init(&may_use, 0, 0);
    sem_init(&may_close, 0, 0);
    if (pthread_create(&first, NULL, uses, NULL) || pthread_create(&second, NULL, closes, NULL))
        return 1;
    sem_wait(&is_apart);
    file = open("/dev/null", O_WRONLY);
    sem_post(&may_use);
    sem_post(&may_close);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    return 0;
}
