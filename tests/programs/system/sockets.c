/* SPDX-License-Identifier: Apache-2.0 */
/* A server thread and client threads over TCP on the loopback; datagrams with addresses; messages in pieces. */
#define _GNU_SOURCE
#include "check.h"

#include <arpa/inet.h>
#include <netdb.h>
#include <netinet/in.h>
#include <pthread.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#define CLIENTS 3
#define ROUNDS  20

static struct sockaddr_in server;
static int listener;

static void *serve_one(void *arg) {
    int fd = (int)(long)arg, n;
    while (recv(fd, &n, sizeof n, MSG_WAITALL) == sizeof n) {
        n++;
        CHECK(send(fd, &n, sizeof n, MSG_NOSIGNAL) == sizeof n);
    }
    close(fd);
    return NULL;
}

static void *serve(void *arg) {
    pthread_t t[CLIENTS];
    for (int i = 0; i < CLIENTS; i++) {
        struct sockaddr_in peer;
        socklen_t length = sizeof peer;
        long fd = accept(listener, (struct sockaddr *)&peer, &length);
        CHECK(fd >= 0 && length == sizeof peer && peer.sin_addr.s_addr == htonl(INADDR_LOOPBACK));
        pthread_create(&t[i], NULL, serve_one, (void *)fd);
    }
    for (int i = 0; i < CLIENTS; i++)
        pthread_join(t[i], NULL);
    return arg;
}

static void *ask(void *arg) {
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    CHECK(fd >= 0 && !connect(fd, (struct sockaddr *)&server, sizeof server));
    for (int i = 0; i < ROUNDS; i++) {
        int n = i;
        CHECK(send(fd, &n, sizeof n, 0) == sizeof n && recv(fd, &n, sizeof n, MSG_WAITALL) == sizeof n && n == i + 1);
    }
    close(fd);
    return arg;
}

int main(void) {
    socklen_t length = sizeof server;
    server = (struct sockaddr_in){.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    listener = socket(AF_INET, SOCK_STREAM, 0);
    CHECK(listener >= 0 && !bind(listener, (struct sockaddr *)&server, sizeof server) && !listen(listener, 5));
    CHECK(!getsockname(listener, (struct sockaddr *)&server, &length) && server.sin_port);
    pthread_t s, c[CLIENTS];
    pthread_create(&s, NULL, serve, NULL);
    for (int i = 0; i < CLIENTS; i++)
        pthread_create(&c[i], NULL, ask, NULL);
    for (int i = 0; i < CLIENTS; i++)
        pthread_join(c[i], NULL);
    pthread_join(s, NULL);
    close(listener);

    int pair[2], type;
    CHECK(!socketpair(AF_UNIX, SOCK_DGRAM, 0, pair));
    length = sizeof type;
    CHECK(!getsockopt(pair[0], SOL_SOCKET, SO_TYPE, &type, &length) && type == SOCK_DGRAM && length == sizeof type);
    struct iovec out[] = {{"one ", 4}, {"two", 3}};
    struct msghdr message = {.msg_iov = out, .msg_iovlen = 2};
    CHECK(sendmsg(pair[0], &message, 0) == 7);
    char a[3], b[16];
    struct iovec in[] = {{a, sizeof a}, {b, sizeof b}};
    struct sockaddr_un from;
    message = (struct msghdr){.msg_iov = in, .msg_iovlen = 2, .msg_name = &from, .msg_namelen = sizeof from};
    CHECK(recvmsg(pair[1], &message, 0) == 7 && !memcmp(a, "one", 3) && !memcmp(b, " two", 4));

    int u = socket(AF_INET, SOCK_DGRAM, 0);
    struct sockaddr_in me = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)}, sender;
    CHECK(!bind(u, (struct sockaddr *)&me, sizeof me));
    length = sizeof me;
    CHECK(!getsockname(u, (struct sockaddr *)&me, &length));
    CHECK(sendto(u, "datagram", 8, 0, (struct sockaddr *)&me, sizeof me) == 8);
    length = sizeof sender;
    CHECK(recvfrom(u, b, sizeof b, 0, (struct sockaddr *)&sender, &length) == 8 && !memcmp(b, "datagram", 8));
    CHECK(sender.sin_port == me.sin_port);

    struct addrinfo hints = {.ai_flags = AI_NUMERICHOST, .ai_family = AF_INET}, *list;
    CHECK(!getaddrinfo("127.0.0.1", NULL, &hints, &list));
    CHECK(((struct sockaddr_in *)list->ai_addr)->sin_addr.s_addr == htonl(INADDR_LOOPBACK));
    freeaddrinfo(list);
    puts("sockets: fine");
}
