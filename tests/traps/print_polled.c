// SPDX-License-Identifier: Apache-2.0
// Standard output is a pipe that has a name; the program polls its other end, and reads nothing.
// twin: data
// stdout: fifo
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

enum { OTHER_END = 9 }; /* the program is started with it */

static int data, seen;

static void *printer(void *arg) {
    data = 1;
    printf("go\n");
    fflush(stdout);
    return arg;
}

int main(void) {
    struct pollfd end = {.fd = OTHER_END, .events = POLLIN};
    pthread_t thread;
    pthread_create(&thread, NULL, printer, NULL);
#ifdef TWIN
    seen = data;
#endif
    int ready = 0;
    for (int n = 0; n < 100 && !ready; n++)
        ready = poll(&end, 1, 10) == 1;
    if (ready)
        seen += data;
    pthread_join(thread, NULL);
    return 0;
}
