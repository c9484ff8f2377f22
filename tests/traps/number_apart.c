// SPDX-License-Identifier: Apache-2.0
// A thread that has a table of descriptors of its own: the same number leads elsewhere there, and who closes it here closes
// nothing of the thread's. The twin has one table, and one number.
// twin: descriptor
// exact: the race is between two recorded calls
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <unistd.h>

static sem_t has_table, may_use;
static int file = -1;

static void *uses(void *unused) {
#ifndef TWIN
    if (unshare(CLONE_FILES))
        return &file;
    file = open("/dev/null", O_WRONLY);
#endif
    sem_post(&has_table);
    sem_wait(&may_use);
    for (int i = 0; i < 4; i++)
        if (write(file, "a line", 6) < 0)
            break;
    return unused;
}

int main(void) {
    pthread_t thread;
    void *failed;
    sem_init(&has_table, 0, 0);
    sem_init(&may_use, 0, 0);
    if (pthread_create(&thread, NULL, uses, NULL))
        return 1;
    sem_wait(&has_table);
    const int here = open("/dev/null", O_WRONLY);
#ifdef TWIN
    file = here;
#endif
    sem_post(&may_use);
    for (int i = 0; i < 4; i++)
        if (write(here, "a line", 6) != 6)
            return 1;
    close(here);
    pthread_join(thread, &failed);
    return failed != NULL;
}
