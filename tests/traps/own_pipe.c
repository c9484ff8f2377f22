// SPDX-License-Identifier: Apache-2.0
// Pipes, pairs of sockets and counters of events of the program's own order whoever uses the same one: what was read was
// written before, what was not there was written later, and there is room only after somebody has read. Each case has one of its own.
// The twin's threads use such things as well, but each another one: nothing orders them. That a library has some for itself, and
// closes them, has to do with neither.
// twin: raced
// library: own_pipe.c
// exact: descriptors of the program's own are objects of their own
#define _GNU_SOURCE
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <unistd.h>

enum { READ, COUNT, SOCKET, POLL, SELECT, EPOLL, EMPTY, FULL, SHUT, SECOND, CASES };
static int ends[CASES][2], watch, second;
static char block[1 << 12];

int works_by_itself(void);

static int make(void) {
    if (works_by_itself())
        return -1;
    for (int i = 0; i < CASES; i++) {
        if (i == COUNT)
            ends[i][0] = ends[i][1] = eventfd(0, EFD_CLOEXEC);
        else if (i == SOCKET || i == SHUT ? socketpair(AF_UNIX, SOCK_STREAM, 0, ends[i]) : pipe(ends[i]))
            return -1;
    }
    fcntl(ends[EMPTY][0], F_SETFL, O_NONBLOCK);
    fcntl(ends[FULL][1], F_SETFL, O_NONBLOCK);
    while (write(ends[FULL][1], block, sizeof block) > 0)
        continue;
    fcntl(ends[FULL][1], F_SETFL, 0);
    if (write(ends[EMPTY][1], "x", 1) != 1)
        return -1;
    watch = epoll_create1(0);
    second = dup(ends[SECOND][0]);
    struct epoll_event wanted = {.events = EPOLLIN};
    return epoll_ctl(watch, EPOLL_CTL_ADD, ends[EPOLL][0], &wanted) || second < 0;
}

static char byte(int end) {
    char found = 0;
    return read(end, &found, 1) == 1 ? found : 0;
}

static int let(int end) { return write(end, "x", 1) == 1; }

#ifdef TWIN
static int raced;

static void *one(void *unused) {
    long number = 1;
    raced = 1;
    return let(ends[READ][1]) && let(ends[SOCKET][1]) && write(ends[COUNT][1], &number, sizeof number) > 0 ? unused : block;
}

static void *other(void *unused) {
    struct pollfd wanted = {ends[POLL][0], POLLIN, 0};
    struct epoll_event found;
    if (!let(ends[POLL][1]) || !let(ends[EPOLL][1]) || poll(&wanted, 1, -1) != 1 || epoll_wait(watch, &found, 1, -1) != 1)
        return block;
    return raced ? unused : block;
}
#else
static int data[CASES];

// It has written each variable before it lets the other go on; by the last two it takes what is there, or makes room.
static void *one(void *unused) {
    long number = 1;
    data[EMPTY] = 1;
    byte(ends[EMPTY][0]);
    for (int i = 0; i < EMPTY; i++) {
        data[i] = 1;
        if (i == COUNT ? write(ends[i][1], &number, sizeof number) < 0 : !let(ends[i][1]))
            return block;
    }
    data[SHUT] = 1;
    shutdown(ends[SHUT][1], SHUT_RDWR);
    data[SECOND] = 1;
    let(ends[SECOND][1]);
    data[FULL] = 1;
    return read(ends[FULL][0], block, sizeof block) > 0 ? unused : block;
}

static void *other(void *unused) {
    struct pollfd wanted = {ends[POLL][0], POLLIN, 0};
    struct epoll_event found;
    fd_set set;
    long number;
    int sum = 0;
    if (!byte(ends[EMPTY][0])) // the first has taken it
        sum += data[EMPTY];
    byte(ends[READ][0]);
    sum += data[READ];
    sum += read(ends[COUNT][0], &number, sizeof number) == sizeof number ? data[COUNT] : 0;
    byte(ends[SOCKET][0]);
    sum += data[SOCKET];
    sum += poll(&wanted, 1, -1) == 1 ? data[POLL] : 0;
    FD_ZERO(&set);
    FD_SET(ends[SELECT][0], &set);
    sum += select(ends[SELECT][0] + 1, &set, NULL, NULL, NULL) == 1 ? data[SELECT] : 0;
    sum += epoll_wait(watch, &found, 1, -1) == 1 ? data[EPOLL] : 0;
    byte(ends[SHUT][0]);
    sum += data[SHUT];
    byte(second);
    sum += data[SECOND];
    sum += write(ends[FULL][1], "y", 1) == 1 ? data[FULL] : 0;
    return sum ? unused : block;
}
#endif

int main(void) {
    pthread_t threads[2];
    if (make() || pthread_create(&threads[0], NULL, one, NULL) || pthread_create(&threads[1], NULL, other, NULL))
        return 1;
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    return 0;
}
