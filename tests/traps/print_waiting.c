// SPDX-License-Identifier: Apache-2.0
// As print_polled.c; how much waits in the pipe is asked by ioctl().
// twin: data
// stdout: fifo
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { OTHER_END = 9 }; /* the program is started with it */

static int data, seen;
static atomic_int over; /* until then the thread is there: that it has ended tells nothing */

static void *printer(void *arg) {
    data = 1;
    printf("go\n");
    fflush(stdout);
    while (!over)
        usleep(100);
    return arg;
}

int main(void) {
    int waiting = 0;
    pthread_t thread;
    pthread_create(&thread, NULL, printer, NULL);
#ifdef TWIN
    seen = data;
#endif
    for (int n = 0; n < 1000 && !ioctl(OTHER_END, FIONREAD, &waiting) && !waiting; n++)
        usleep(1000);
    if (waiting)
        seen += data;
    over = 1;
    pthread_join(thread, NULL);
    return 0;
}
