/* SPDX-License-Identifier: Apache-2.0 */
/* What a server does hangs on a file, `orders`, with lines: what it answers the first connection; how many bytes it
 * asks the second one for; how it reads that (plain, peek, tries: once more where nothing is there, extra: it sends
 * something after that). Two threads then race, whatever it did. A replay after the file was changed asks the recorded
 * peers for what they may not have an answer to. Port: in the file `port`. */
#include <netinet/in.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static int x; /* racy */
static void *race(void *argument) {
    x++;
    return argument;
}

int main(void) {
    char answer[64] = "", how[64] = "", line[64];
    int ask = 0;
    FILE *file = fopen("orders", "r");
    if (!file || fscanf(file, "%63s %d %63s", answer, &ask, how) != 3 || fclose(file))
        exit(2);
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof at;
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    if (fd < 0 || bind(fd, (struct sockaddr *)&at, sizeof at) || getsockname(fd, (struct sockaddr *)&at, &length))
        exit(2);
    file = fopen("port", "w");
    if (!file || fprintf(file, "%d\n", ntohs(at.sin_port)) < 0 || fclose(file) || listen(fd, 16))
        exit(2);
    int first = accept(fd, NULL, NULL);
    send(first, answer, sizeof answer, 0);
    int second = accept(fd, NULL, NULL);
    if (!strcmp(how, "tries"))
        recv(second, line, 1, MSG_DONTWAIT);
    recv(second, line, (size_t)ask, !strcmp(how, "peek") ? MSG_PEEK : 0);
    if (!strcmp(how, "extra"))
        send(first, "extra", 5, 0);
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, race, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
