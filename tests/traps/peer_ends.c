// SPDX-License-Identifier: Apache-2.0
// One thread writes x and closes its connection; whoever is at its other end then closes another one, whose end the other
// thread sees before it writes x. The twin writes after it has closed.
// client: bash -c 'exec 3<>/dev/tcp/127.0.0.1/$(cat port) 4<>/dev/tcp/127.0.0.1/$(cat port); cat <&3 >/dev/null; exec 4>&-; exec 3>&-'
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
    if (shutdown(fds[0], SHUT_RDWR))
        exit(3);
#ifdef TWIN
    x = 1;
#endif
    return argument;
}

static void *hear(void *argument) {
    char word[8];
    while (read(fds[1], word, sizeof word) > 0)
        continue;
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
