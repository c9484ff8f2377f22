// SPDX-License-Identifier: Apache-2.0
// Threads of the C library: one reads from a pipe, and then another calls `done`, after whoever wrote into the pipe.
// The twin writes once more when it has written there already.
// twin: data
#include <aio.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

static int data, ends[2];
static sem_t ready;

static void done(union sigval value) {
    printf("%d %d\n", data, value.sival_int);
    sem_post(&ready);
}

static void *writer(void *unused) {
    data = 1;
    if (write(ends[1], "x", 1) != 1)
        return NULL;
#ifdef TWIN
    data = 2;
#endif
    return unused;
}

int main(void) {
    static char byte;
    pthread_t thread;
    sem_init(&ready, 0, 0);
    if (pipe(ends))
        return 1;
    struct aiocb block = {.aio_fildes = ends[0], .aio_buf = &byte, .aio_nbytes = 1};
    block.aio_sigevent.sigev_notify = SIGEV_THREAD;
    block.aio_sigevent.sigev_notify_function = done;
    if (aio_read(&block) || pthread_create(&thread, NULL, writer, NULL))
        return 1;
    sem_wait(&ready);
    pthread_join(thread, NULL);
    return 0;
}
