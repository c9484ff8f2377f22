// SPDX-License-Identifier: Apache-2.0
// A thread that has a table of descriptors of its own uses a number there, and others close the same number of theirs: that leads to
// another file. The twin has one table, and uses theirs. (Who closes has a way to go, so that the other one comes first.)
// twin: descriptor
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <unistd.h>

static sem_t is_apart, is_open;
static int file;

static void *uses(void *unused) {
#ifndef TWIN
    const int own = unshare(CLONE_FILES) ? -1 : open("/dev/null", O_WRONLY);
#endif
    sem_post(&is_apart);
    sem_wait(&is_open);
#ifdef TWIN
    const int own = file;
#endif
    for (int i = 0; i < 8; i++)
        if (write(own, "a line", 6) != 6)
            break;
#ifndef TWIN
    close(own);
#endif
    return unused;
}

int main(void) {
    pthread_t user;
    sem_init(&is_apart, 0, 0);
    sem_init(&is_open, 0, 0);
    if (pthread_create(&user, NULL, uses, NULL))
        return 1;
    sem_wait(&is_apart);
    file = open("/dev/null", O_WRONLY);
    sem_post(&is_open);
#ifdef TWIN
    for (volatile int way = 0; way < 200; way++)
        continue;
#else
    for (int i = 0; i < 4; i++)
        if (write(file, "a line", 6) != 6)
            return 1;
#endif
    close(file);
    pthread_join(user, NULL);
    return 0;
}
