/* SPDX-License-Identifier: Apache-2.0 */
/* Two threads and somebody outside, at the other ends of two connections: one writes x and tells him, who lets the other
 * know, which then writes x. So the order comes by him. The twin writes after it has told. Each trap has its own way to
 * tell and to hear; with THREADS it has its own threads. */
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

static int x, fds[2];

static void *first(void *argument);
static void *second(void *argument);

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

#ifndef THREADS
static int tell(void); /* by fds[0]; 0: it could */
static int hear(void); /* by fds[1]; 0: it did */

static void *first(void *argument) {
#ifndef TWIN
    x = 1;
#endif
    if (tell())
        exit(3);
#ifdef TWIN
    x = 1;
#endif
    return argument;
}

static void *second(void *argument) {
    if (!hear())
        x = 2;
    return argument;
}
#endif

int main(void) {
    pthread_t threads[2];
    take_two();
    pthread_create(&threads[0], NULL, first, NULL);
    pthread_create(&threads[1], NULL, second, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    printf("%d\n", x);
    return 0;
}
