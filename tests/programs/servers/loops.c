/* SPDX-License-Identifier: Apache-2.0 */
/* A server with one loop that waits for sockets and two threads that answer: WAY N. WAY: poll, select, epoll, edge
 * (epoll, edge-triggered), datagrams. N requests, each a line; its answer is the same line. Both threads count what
 * they have answered without a lock. Sockets are non-blocking and read until nothing is there; an eventfd, by which a
 * thread of the program's own says that it has begun, is waited for beside them. Port: in the file `port`. */
#define _GNU_SOURCE
#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <unistd.h>

enum { MOST = 16, LINE = 64 };
typedef struct request {
    int fd;
    char line[LINE];
    size_t n;
    struct sockaddr_in from;
} request;

static int share;  /* of each thread, so that both have one, whatever the schedule */
static int served; /* racy */
static request queue[MOST];
static int head, tail, is_over;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t more = PTHREAD_COND_INITIALIZER;
static int listener, began, is_datagrams;
static int open_fds[MOST], n_open;

static void *answer(void *argument) {
    for (int i = 0; i < share; i++) {
        pthread_mutex_lock(&lock);
        while (head == tail && !is_over)
            pthread_cond_wait(&more, &lock);
        if (head == tail) {
            pthread_mutex_unlock(&lock);
            break;
        }
        request r = queue[head++];
        pthread_mutex_unlock(&lock);
        if (is_datagrams) {
            sendto(listener, r.line, r.n, 0, (struct sockaddr *)&r.from, sizeof r.from);
        } else {
            send(r.fd, r.line, r.n, MSG_NOSIGNAL);
            close(r.fd);
        }
        served++;
    }
    return argument;
}

static void *say_begun(void *argument) {
    eventfd_write(began, 1);
    return argument;
}

static void push(const request *r) {
    pthread_mutex_lock(&lock);
    queue[tail++] = *r;
    pthread_cond_signal(&more);
    pthread_mutex_unlock(&lock);
}

static void forget(int fd) {
    for (int i = 0; i < n_open; i++)
        if (open_fds[i] == fd)
            open_fds[i] = open_fds[--n_open];
}

static void must(int is_so) {
    if (!is_so) {
        perror("loops");
        exit(2);
    }
}

static void take_connections(int epoll, unsigned flags) {
    int fd;
    while ((fd = accept4(listener, NULL, NULL, SOCK_NONBLOCK)) >= 0) {
        open_fds[n_open++] = fd;
        if (epoll >= 0)
            must(!epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &(struct epoll_event){EPOLLIN | flags, {.fd = fd}}));
    }
    must(errno == EAGAIN);
}

/* How many requests there are now. */
static int take_request(int fd) {
    request r = {.fd = fd};
    ssize_t n;
    if (is_datagrams) {
        socklen_t length = sizeof r.from;
        int count = 0;
        while ((n = recvfrom(fd, r.line, LINE, 0, (struct sockaddr *)&r.from, &length)) > 0) {
            r.n = (size_t)n;
            push(&r);
            count++;
        }
        return count;
    }
    while ((n = read(fd, r.line + r.n, LINE - r.n)) > 0)
        r.n += (size_t)n;
    if (!r.n)
        return 0;
    forget(fd);
    push(&r);
    return 1;
}

static int handle(int fd, int epoll, unsigned flags) {
    eventfd_t value;
    if (fd == began)
        eventfd_read(began, &value);
    else if (fd == listener && !is_datagrams)
        take_connections(epoll, flags);
    else
        return take_request(fd);
    return 0;
}

/* Those that are ready, of all. */
static int wait_poll(int *ready) {
    struct pollfd fds[MOST + 2] = {{.fd = listener, .events = POLLIN}, {.fd = began, .events = POLLIN}};
    int n = 0;
    for (int i = 0; i < n_open; i++)
        fds[i + 2] = (struct pollfd){.fd = open_fds[i], .events = POLLIN};
    int count = n_open + 2;
    must(poll(fds, (nfds_t)count, -1) > 0);
    for (int i = 0; i < count; i++)
        if (fds[i].revents)
            ready[n++] = fds[i].fd;
    return n;
}

static int wait_select(int *ready) {
    fd_set in;
    int n = 0;
    FD_ZERO(&in);
    FD_SET(listener, &in);
    FD_SET(began, &in);
    for (int i = 0; i < n_open; i++)
        FD_SET(open_fds[i], &in);
    struct timeval timeout = {60, 0};
    must(select(FD_SETSIZE, &in, NULL, NULL, &timeout) > 0);
    for (int fd = 0; fd < FD_SETSIZE; fd++)
        if (FD_ISSET(fd, &in))
            ready[n++] = fd;
    return n;
}

static int wait_epoll(int epoll, int *ready) {
    struct epoll_event events[4];
    int n = epoll_wait(epoll, events, 4, -1);
    must(n > 0);
    for (int i = 0; i < n; i++)
        ready[i] = events[i].data.fd;
    return n;
}

int main(int argc, char **argv) {
    must(argc == 3);
    const char *way = argv[1];
    int want = atoi(argv[2]), epoll = -1;
    share = want / 2;
    unsigned flags = !strcmp(way, "edge") ? EPOLLET : 0;
    is_datagrams = !strcmp(way, "datagrams");
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof at;
    listener = socket(AF_INET, (is_datagrams ? SOCK_DGRAM : SOCK_STREAM) | SOCK_NONBLOCK, 0);
    began = eventfd(0, 0);
    must(!bind(listener, (struct sockaddr *)&at, sizeof at) && !getsockname(listener, (struct sockaddr *)&at, &length));
    FILE *file = fopen("port", "w");
    must(file && fprintf(file, "%d\n", ntohs(at.sin_port)) > 0 && !fclose(file));
    must(is_datagrams || !listen(listener, 16));
    if (!strcmp(way, "epoll") || flags) {
        epoll = epoll_create1(0);
        must(!epoll_ctl(epoll, EPOLL_CTL_ADD, listener, &(struct epoll_event){EPOLLIN | flags, {.fd = listener}}));
        must(!epoll_ctl(epoll, EPOLL_CTL_ADD, began, &(struct epoll_event){EPOLLIN, {.fd = began}}));
    }
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, i ? answer : say_begun, NULL);
    for (int got = 0; got < want;) {
        int ready[FD_SETSIZE];
        int n = epoll >= 0 ? wait_epoll(epoll, ready) : !strcmp(way, "select") ? wait_select(ready) : wait_poll(ready);
        for (int i = 0; i < n; i++)
            got += handle(ready[i], epoll, flags);
    }
    pthread_mutex_lock(&lock);
    is_over = 1;
    pthread_cond_broadcast(&more);
    pthread_mutex_unlock(&lock);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    puts("has served all");
    return 0;
}
