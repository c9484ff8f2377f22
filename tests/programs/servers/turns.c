/* SPDX-License-Identifier: Apache-2.0 */
/* A server that does what the file `orders` says, word by word: accept, say N (a byte to connection N), take N BYTES
 * (waits for all of them), try N (reads a byte, without waiting), look N (whether there is something, without waiting),
 * page N (the file `page`, by sendfile, in two parts), wait N (until there is something), shut N, unshut N (shutdown,
 * which fails because both ends are gone), over N (the other end has closed).
 * Two threads then race, whatever it did. A replay after the words were put in another order asks the recorded peers
 * for what they may not have an answer to. Port: in the file `port`. */
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <unistd.h>

static int x; /* racy */
static void *race(void *argument) {
    x++;
    return argument;
}

static void must(int is_so) {
    if (!is_so) {
        perror("turns");
        exit(2);
    }
}

static int listen_somewhere(void) {
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof at;
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    must(fd >= 0 && !bind(fd, (struct sockaddr *)&at, sizeof at) && !getsockname(fd, (struct sockaddr *)&at, &length));
    FILE *file = fopen("port", "w");
    must(file && fprintf(file, "%d\n", ntohs(at.sin_port)) > 0 && !fclose(file) && !listen(fd, 16));
    return fd;
}

static void send_page(int to) {
    int fd = open("page", O_RDONLY);
    off_t at = 0;
    must(fd >= 0 && sendfile(to, fd, &at, 10) == 10 && at == 10);
    must(lseek(fd, at, SEEK_SET) == at && sendfile(to, fd, NULL, 1000) == 10 && lseek(fd, 0, SEEK_CUR) == 20);
    must(sendfile(to, fd, NULL, 1000) == 0 && !close(fd));
}

static void obey(FILE *orders, int listener) {
    static char bytes[1 << 16];
    int fds[8], n = 0, which, size;
    char word[16];
    while (fscanf(orders, "%15s", word) == 1) {
        if (!strcmp(word, "accept")) {
            fds[n] = accept(listener, NULL, NULL);
            must(fds[n++] >= 0);
            continue;
        }
        must(fscanf(orders, "%d", &which) == 1 && which < n);
        if (!strcmp(word, "say"))
            must(send(fds[which], "!", 1, 0) == 1);
        else if (!strcmp(word, "take"))
            must(fscanf(orders, "%d", &size) == 1 && recv(fds[which], bytes, (size_t)size, MSG_WAITALL) == size);
        else if (!strcmp(word, "page"))
            send_page(fds[which]);
        else if (!strcmp(word, "wait"))
            must(poll(&(struct pollfd){.fd = fds[which], .events = POLLIN}, 1, -1) == 1);
        else if (!strcmp(word, "shut"))
            must(!shutdown(fds[which], SHUT_WR));
        else if (!strcmp(word, "unshut"))
            must(shutdown(fds[which], SHUT_WR) < 0);
        else if (!strcmp(word, "over"))
            must(!recv(fds[which], bytes, 1, 0));
        else if (!strcmp(word, "try"))
            must(recv(fds[which], bytes, 1, MSG_DONTWAIT) < 0);
        else
            must(!poll(&(struct pollfd){.fd = fds[which], .events = POLLIN}, 1, 0));
    }
}

int main(void) {
    FILE *orders = fopen("orders", "r");
    must(orders != NULL);
    obey(orders, listen_somewhere());
    fclose(orders);
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, race, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
