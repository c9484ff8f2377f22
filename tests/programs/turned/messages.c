/* SPDX-License-Identifier: Apache-2.0 */
/* Two threads send one message each, and whoever takes them races with a third one only if the second's comes first: by a pipe, a pair of
 * sockets, a counter of events, two pipes that are polled, two counters that are watched. Nothing but the message says which it was. TWIN:
 * what it writes then is its own. COUNTED: so many threads send one each through one pipe, and are joined before somebody looks; so there
 * are as many classes of runs as orders of these. */
#include <poll.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

enum { PIPE, PAIR, COUNTER, POLLED, WATCHED };
#ifndef CASE
#define CASE PIPE
#endif

static int in[2], out[2], watch; /* by sender; where there is one for both, twice the same */
static int shared, own;

static void make(void) {
    int ends[2][2] = {{0}};
    for (int i = 0; i < 2; i++) {
        if (CASE == COUNTER || CASE == WATCHED)
            ends[i][0] = ends[i][1] = eventfd(0, 0);
        else if (CASE == PAIR ? socketpair(AF_UNIX, SOCK_STREAM, 0, ends[i]) : pipe(ends[i]))
            perror("pipe");
        in[i] = ends[CASE < POLLED ? 0 : i][1];
        out[i] = ends[CASE < POLLED ? 0 : i][0];
    }
    watch = CASE == WATCHED ? epoll_create1(0) : -1;
    for (int i = 0; i < 2 && CASE == WATCHED; i++) {
        struct epoll_event what = {.events = EPOLLIN, .data.fd = i};
        if (epoll_ctl(watch, EPOLL_CTL_ADD, out[i], &what))
            perror("epoll_ctl");
    }
}

static void *send_one(void *arg) {
    const uint64_t which = (uint64_t)(uintptr_t)arg, number = which + 1;
    const char byte = (char)('a' + which);
    const long sent = CASE == COUNTER || CASE == WATCHED ? write(in[which % 2], &number, sizeof number)
                      : CASE == PAIR                     ? send(in[which % 2], &byte, 1, 0)
                                                         : write(in[which % 2], &byte, 1);
    if (sent <= 0)
        perror("write");
    return NULL;
}

/* Whose came first? */
static int take_one(void) {
    struct pollfd polled[2] = {{.fd = out[0], .events = POLLIN}, {.fd = out[1], .events = POLLIN}};
    struct epoll_event watched = {.data.fd = 0};
    uint64_t number = 0;
    char byte = 0;
    switch (CASE) {
    case POLLED: return poll(polled, 2, -1) > 0 && !(polled[0].revents & POLLIN);
    case WATCHED: return epoll_wait(watch, &watched, 1, -1) == 1 && watched.data.fd == 1;
    case COUNTER: return read(out[0], &number, sizeof number) == sizeof number && number == 2;
    case PAIR: return recv(out[0], &byte, 1, 0) == 1 && byte == 'b';
    default: return read(out[0], &byte, 1) == 1 && byte == 'b';
    }
}

#ifdef COUNTED
int main(void) {
    pthread_t threads[COUNTED];
    make();
    for (uintptr_t i = 0; i < COUNTED; i++)
        pthread_create(&threads[i], NULL, send_one, (void *)(2 * i));
    for (int i = 0; i < COUNTED; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < COUNTED; i++)
        own += take_one();
    return shared > own;
}
#else
static void *taker(void *arg) {
    if (take_one())
#ifdef TWIN
        own = 1;
#else
        shared = 1;
#endif
    return arg;
}

static void *writer(void *arg) {
    shared = 2;
    return arg;
}

int main(void) {
    pthread_t threads[4];
    void *(*const code[])(void *) = {taker, writer, send_one, send_one};
    make();
    for (uintptr_t i = 0; i < 4; i++)
        pthread_create(&threads[i], NULL, code[i], (void *)(uintptr_t)(i == 3));
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    printf("%d\n", shared + own > 0);
}
#endif
