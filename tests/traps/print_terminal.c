// SPDX-License-Identifier: Apache-2.0
// Standard output is a terminal that the program serves itself; it waits for something to come out of it, and reads nothing.
// twin: data
// needs: test -c /dev/ptmx -a -d /dev/pts
#define _GNU_SOURCE
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static int data, seen;

static void *printer(void *arg) {
    data = 1;
    printf("go\n");
    fflush(stdout);
    return arg;
}

int main(void) {
    int server = posix_openpt(O_RDWR | O_NOCTTY);
    if (server < 0 || grantpt(server) || unlockpt(server) || dup2(open(ptsname(server), O_RDWR | O_NOCTTY), 1) != 1)
        return 1;
    struct pollfd end = {.fd = server, .events = POLLIN};
    pthread_t thread;
    pthread_create(&thread, NULL, printer, NULL);
#ifdef TWIN
    seen = data;
#endif
    while (poll(&end, 1, 10) != 1)
        continue;
    seen += data;
    pthread_join(thread, NULL);
    return seen < 1;
}
