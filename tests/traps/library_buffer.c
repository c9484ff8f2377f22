// SPDX-License-Identifier: Apache-2.0
// A thread of the C library reads from a pipe into `byte`, at which main looks until it has changed; nobody else touches
// it. What was done before the pipe was written comes before. The twin looks at the data before.
// twin: data
#include <aio.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <unistd.h>

static int data, ends[2];
static volatile char byte;

static void *writer(void *unused) {
    data = 1;
    if (write(ends[1], "x", 1) != 1)
        return NULL;
    return unused;
}

int main(void) {
    pthread_t thread;
    if (pipe(ends))
        return 1;
    struct aiocb block = {.aio_fildes = ends[0], .aio_buf = &byte, .aio_nbytes = 1};
    if (aio_read(&block) || pthread_create(&thread, NULL, writer, NULL))
        return 1;
#ifdef TWIN
    printf("%d\n", data);
#endif
    while (!byte)
        sched_yield();
    printf("%d\n", data);
    pthread_join(thread, NULL);
    return 0;
}
