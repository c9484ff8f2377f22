/* SPDX-License-Identifier: Apache-2.0 */
/* poll, select and epoll, on what is ready, what becomes ready, and what does not in time. */
#define _GNU_SOURCE
#include "check.h"

#include <poll.h>
#include <pthread.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/select.h>
#include <unistd.h>

static int p[2];
static pthread_barrier_t turn;

static void *writer(void *arg) {
    for (int i = 0; i < 7; i++) {
        pthread_barrier_wait(&turn);
        CHECK(write(p[1], "x", 1) == 1);
    }
    return arg;
}

static void eat(void) {
    char c;
    CHECK(read(p[0], &c, 1) == 1 && c == 'x');
}

int main(void) {
    CHECK(!pipe(p) && !pthread_barrier_init(&turn, NULL, 2));
    pthread_t t;
    pthread_create(&t, NULL, writer, NULL);
    struct pollfd fds[2] = {{p[0], POLLIN, 0}, {-1, POLLIN, 77}};
    struct timespec soon = {0, 1000000}, long_time = {1000, 0};

    CHECK(poll(fds, 2, 1) == 0 && !fds[0].revents && !fds[1].revents);
    pthread_barrier_wait(&turn);
    CHECK(poll(fds, 2, -1) == 1 && fds[0].revents == POLLIN);
    CHECK(poll(fds, 1, 0) == 1);
    eat();
    CHECK(ppoll(fds, 1, &soon, NULL) == 0);
    pthread_barrier_wait(&turn);
    CHECK(ppoll(fds, 1, &long_time, NULL) == 1);
    eat();

    fd_set in;
    FD_ZERO(&in);
    FD_SET(p[0], &in);
    struct timeval brief = {0, 1000}, lengthy = {1000, 0};
    CHECK(select(p[0] + 1, &in, NULL, NULL, &brief) == 0 && !FD_ISSET(p[0], &in));
    CHECK(!brief.tv_sec && !brief.tv_usec);
    pthread_barrier_wait(&turn);
    FD_SET(p[0], &in);
    CHECK(select(p[0] + 1, &in, NULL, NULL, &lengthy) == 1 && FD_ISSET(p[0], &in));
    eat();
    pthread_barrier_wait(&turn);
    CHECK(pselect(p[0] + 1, &in, NULL, NULL, NULL, NULL) == 1 && FD_ISSET(p[0], &in));
    eat();

    int epoll = epoll_create1(0), event = eventfd(0, 0);
    struct epoll_event want = {.events = EPOLLIN | EPOLLET, .data.u64 = 42}, got[4];
    CHECK(!epoll_ctl(epoll, EPOLL_CTL_ADD, p[0], &want));
    want = (struct epoll_event){.events = EPOLLIN, .data.u64 = 43};
    CHECK(!epoll_ctl(epoll, EPOLL_CTL_ADD, event, &want));
    CHECK(epoll_wait(epoll, got, 4, 1) == 0);
    pthread_barrier_wait(&turn);
    CHECK(epoll_wait(epoll, got, 4, -1) == 1 && got[0].data.u64 == 42 && got[0].events == EPOLLIN);
    CHECK(epoll_wait(epoll, got, 4, 0) == 0); /* an edge is seen once */
    eat();
    pthread_barrier_wait(&turn);
    CHECK(epoll_pwait(epoll, got, 4, -1, NULL) == 1);
    eat();
    CHECK(epoll_pwait2(epoll, got, 4, &soon, NULL) == 0);
    pthread_barrier_wait(&turn);
    got[0].data.u64 = 0;
    CHECK(epoll_pwait2(epoll, got, 4, &long_time, NULL) == 1 && got[0].data.u64 == 42);
    eat();
    CHECK(!eventfd_write(event, 5));
    eventfd_t value;
    CHECK(epoll_wait(epoll, got, 4, -1) == 1 && got[0].data.u64 == 43 && !eventfd_read(event, &value) && value == 5);
    pthread_join(t, NULL);
    puts("ready: fine");
}
