// SPDX-License-Identifier: Apache-2.0
// One thread writes x and sends a word by one connection; whoever is at its other end, and at that of a second one, sends a
// word by that once he has it; the other thread reads it and writes x. The order comes by somebody outside. The twin writes
// after it has sent.
// client: bash -c 'exec 3<>/dev/tcp/127.0.0.1/$(cat port) 4<>/dev/tcp/127.0.0.1/$(cat port); read -r -u 3 word; echo go >&4; cat <&3 >/dev/null'
// twin: x
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

static int x, fds[2];

/* The port is in a file before anybody can connect. */
static void take_two(void) {
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof at;
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    if (fd < 0 || bind(fd, (struct sockaddr *)&at, sizeof at) || getsockname(fd, (struct sockaddr *)&at, &length))
        exit(2);
    FILE *file = fopen("port", "w");
    if (!file || fprintf(file, "%d\n", ntohs(at.sin_port)) < 0 || fclose(file) || listen(fd, 2))
        exit(2);
    for (int i = 0; i < 2; i++)
        fds[i] = accept(fd, NULL, NULL);
}

static void *say(void *argument) {
#ifndef TWIN
    x = 1;
#endif
    if (write(fds[0], "go\n", 3) != 3)
        exit(3);
#ifdef TWIN
    x = 1;
#endif
    return argument;
}

static void *hear(void *argument) {
    char word[8];
    if (read(fds[1], word, sizeof word) > 0)
        x = 2;
    return argument;
}

int main(void) {
    pthread_t threads[2];
    take_two();
    pthread_create(&threads[0], NULL, say, NULL);
    pthread_create(&threads[1], NULL, hear, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    printf("%d\n", x);
    return 0;
}
