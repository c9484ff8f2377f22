// SPDX-License-Identifier: Apache-2.0
// poll reads what it is asked and writes what it answers: another thread may read what was asked meanwhile. The twin
// reads the answer.
// twin: bytes_polled.c
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static struct pollfd *asked;

static void *ask(void *unused) {
    for (int i = 0; i < 2; i++)
        if (poll(asked, 2, 0) < 0)
            return NULL;
    return unused;
}

int main(void) {
    pthread_t thread;
    int ends[2], sum = 0;
    if (pipe(ends))
        return 1;
    asked = malloc(2 * sizeof *asked);
    asked[0].fd = ends[0];
    asked[1].fd = ends[1];
    asked[0].events = POLLIN;
    asked[1].events = POLLIN;
    if (pthread_create(&thread, NULL, ask, NULL))
        return 1;
    for (int i = 0; i < 2; i++)
#ifdef TWIN
        sum += asked[i].revents;
#else
        sum += asked[i].fd + asked[i].events;
#endif
    pthread_join(thread, NULL);
    printf("%d\n", sum < 0);
    return 0;
}
