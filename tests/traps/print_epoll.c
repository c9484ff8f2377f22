// SPDX-License-Identifier: Apache-2.0
// As print_polled.c, by epoll.
// twin: data
// stdout: fifo
#include <pthread.h>
#include <stdio.h>
#include <sys/epoll.h>

enum { OTHER_END = 9 }; /* the program is started with it */

static int data, seen;

static void *printer(void *arg) {
    data = 1;
    printf("go\n");
    fflush(stdout);
    return arg;
}

int main(void) {
    struct epoll_event event = {.events = EPOLLIN};
    int epoll = epoll_create1(0), ready = 0;
    if (epoll < 0 || epoll_ctl(epoll, EPOLL_CTL_ADD, OTHER_END, &event))
        return 1;
    pthread_t thread;
    pthread_create(&thread, NULL, printer, NULL);
#ifdef TWIN
    seen = data;
#endif
    for (int n = 0; n < 100 && !ready; n++)
        ready = epoll_wait(epoll, &event, 1, 10) == 1;
    if (ready)
        seen += data;
    pthread_join(thread, NULL);
    return 0;
}
