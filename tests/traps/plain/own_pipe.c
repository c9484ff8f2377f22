// SPDX-License-Identifier: Apache-2.0
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

int works_by_itself(void);

int works_by_itself(void) {
    int watch = epoll_create1(0), counter = eventfd(1, 0), ends[2], again;
    struct epoll_event wanted = {.events = EPOLLIN};
    if (pipe(ends) || epoll_ctl(watch, EPOLL_CTL_ADD, counter, &wanted) || epoll_wait(watch, &wanted, 1, -1) != 1)
        return -1;
    again = dup(ends[1]);
    return close(again) || close(ends[0]) || close(ends[1]) || close(counter) || close(watch);
}
