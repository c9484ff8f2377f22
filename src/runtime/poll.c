/* SPDX-License-Identifier: Apache-2.0 */
/* poll, select, epoll: what is ready already keeps the baton, so the real call is preceded by a look that waits for
 * nothing and changes nothing. */
#include "runtime/block.h"
#include "runtime/deadline.h"
#include "runtime/kept.h"
#include "runtime/signal.h"
#include "runtime/streams.h"
#include "runtime/sys.h"
#include "runtime/timers.h"

#include <string.h>
#include <sys/epoll.h>
#include <sys/select.h>

RCP_REAL_DEFINE(poll)
RCP_REAL_DEFINE(ppoll)
RCP_REAL_DEFINE(select)
RCP_REAL_DEFINE(pselect)
RCP_REAL_DEFINE(epoll_ctl)
RCP_REAL_DEFINE(epoll_wait)
RCP_REAL_DEFINE(epoll_pwait)
RCP_REAL_DEFINE(epoll_pwait2)

_Noreturn void __chk_fail(void);

/* A wait for nothing but the clock is a sleep; one that ended by the clock moves that of a run that is fed. */
static uint64_t deadline_in(int milliseconds) {
    struct timespec span = {milliseconds / 1000, (long)(milliseconds % 1000) * 1000000};
    return milliseconds < 0 ? RCP_NO_DEADLINE : rcp_deadline_in(&span);
}
static uint64_t deadline_after(const struct timespec *span) {
    return span && rcp_deadline_is_time(span) ? rcp_deadline_in(span) : RCP_NO_DEADLINE;
}
static bool is_sleep(nfds_t n, const void *mask) { return !n && !mask && rcp_clock_is_fed(); }
static int sleep_instead(const struct timespec *span) { return nanosleep(span, NULL) ? -1 : 0; }

/* What comes back need not be read to be seen. */
static void look_at_polled(const struct pollfd *fds, nfds_t n) {
    for (nfds_t i = 0; i < n; i++)
        if (fds[i].fd >= 0)
            rcp_streams_read(fds[i].fd);
}

static bool poll_is_due(struct pollfd *fds, nfds_t n) {
    struct timespec now = {0, 0};
    return !RCP_SYS4(SYS_ppoll, fds, n, &now, 0);
}

/* Standard input that was kept is a file in a replay, and always ready; here it is only where its next piece is. A
 * negative descriptor is not looked at. */
#define HIDDEN (-1 - 0x5245)
static void hide_input(struct pollfd *fds, nfds_t n) {
    for (nfds_t i = 0; i < n; i++)
        if (!fds[i].fd && !rcp_kept_is_there())
            fds[i].fd = HIDDEN;
}
static void show_input(struct pollfd *fds, nfds_t n) {
    for (nfds_t i = 0; i < n; i++)
        if (fds[i].fd == HIDDEN)
            fds[i].fd = 0;
}

RCP_INTERCEPT int poll(struct pollfd *fds, nfds_t n, int timeout) {
    if (timeout > 0 && is_sleep(n, NULL))
        return sleep_instead(&(struct timespec){timeout / 1000, (long)(timeout % 1000) * 1000000});
    rcp_thread *self = rcp_inside();
    if (!self)
        return RCP_REAL(poll)(fds, n, timeout);
    uint64_t deadline = deadline_in(timeout);
    look_at_polled(fds, n);
    hide_input(fds, n);
    rcp_block_leave(self, timeout && poll_is_due(fds, n));
    int result = RCP_REAL(poll)(fds, n, timeout);
    rcp_block_return(self);
    show_input(fds, n);
    if (!result)
        rcp_clock_reach(deadline);
    rcp_timers_look();
    if (result >= 0)
        rcp_effect(fds, n * sizeof *fds);
    rcp_outside(self);
    return result;
}

RCP_INTERCEPT int ppoll(struct pollfd *fds, nfds_t n, const struct timespec *timeout, const sigset_t *mask) {
    if (timeout && is_sleep(n, mask))
        return sleep_instead(timeout);
    rcp_thread *self = rcp_inside();
    if (!self)
        return RCP_REAL(ppoll)(fds, n, timeout, mask);
    uint64_t deadline = deadline_after(timeout);
    bool waits = !timeout || timeout->tv_sec || timeout->tv_nsec;
    look_at_polled(fds, n);
    hide_input(fds, n);
    rcp_block_leave(self, waits && poll_is_due(fds, n));
    sigset_t room;
    int result = RCP_REAL(ppoll)(fds, n, timeout, rcp_signal_allowed(mask, &room));
    rcp_block_return(self);
    show_input(fds, n);
    if (!result)
        rcp_clock_reach(deadline);
    rcp_timers_look();
    if (result >= 0)
        rcp_effect(fds, n * sizeof *fds);
    rcp_outside(self);
    return result;
}

int __poll_chk(struct pollfd *fds, nfds_t n, int timeout, size_t room);
RCP_INTERCEPT int __poll_chk(struct pollfd *fds, nfds_t n, int timeout, size_t room) {
    if (room / sizeof *fds < n)
        __chk_fail();
    return poll(fds, n, timeout);
}

int __ppoll_chk(struct pollfd *fds, nfds_t n, const struct timespec *timeout, const sigset_t *mask, size_t room);
RCP_INTERCEPT int __ppoll_chk(struct pollfd *fds, nfds_t n, const struct timespec *timeout, const sigset_t *mask,
                              size_t room) {
    if (room / sizeof *fds < n)
        __chk_fail();
    return ppoll(fds, n, timeout, mask);
}

/* select overwrites its sets, so the look is at copies. Sets beyond FD_SETSIZE are the program's own affair: then the
 * baton is given up in any case. */
static uint64_t bytes_of_sets(int n) { return n <= 0 ? 0 : ((uint64_t)n + 63) / 64 * 8; }

static void look_at_sets(int n, const fd_set *in, const fd_set *out, const fd_set *except) {
    const fd_set *given[] = {in, out, except};
    for (int fd = 0; fd < n && fd < FD_SETSIZE; fd++)
        for (int i = 0; i < 3; i++)
            if (given[i] && FD_ISSET(fd, given[i])) {
                rcp_streams_read(fd);
                break;
            }
}

static void hide_from_set(int n, fd_set *in) {
    if (n > 0 && in && FD_ISSET(0, in) && !rcp_kept_is_there())
        FD_CLR(0, in);
}

static bool select_is_due(int n, const fd_set *in, const fd_set *out, const fd_set *except) {
    if (n > FD_SETSIZE)
        return true;
    fd_set sets[3];
    const fd_set *given[] = {in, out, except};
    for (int i = 0; i < 3; i++)
        if (given[i])
            memcpy(&sets[i], given[i], bytes_of_sets(n));
    struct timespec now = {0, 0};
    return !rcp_sys(SYS_pselect6, n, in ? (long)&sets[0] : 0, out ? (long)&sets[1] : 0, except ? (long)&sets[2] : 0,
                    (long)&now, 0);
}

static void effect_of_sets(int n, const fd_set *in, const fd_set *out, const fd_set *except) {
    const fd_set *given[] = {in, out, except};
    for (int i = 0; i < 3; i++)
        if (given[i])
            rcp_effect(given[i], bytes_of_sets(n));
}

RCP_INTERCEPT int select(int n, fd_set *restrict in, fd_set *restrict out, fd_set *restrict except,
                         struct timeval *restrict timeout) {
    rcp_thread *self = rcp_inside();
    if (!self)
        return RCP_REAL(select)(n, in, out, except, timeout);
    struct timespec span = timeout ? (struct timespec){timeout->tv_sec, timeout->tv_usec * 1000} : (struct timespec){0};
    if (timeout && is_sleep((nfds_t)n, NULL)) {
        rcp_outside(self);
        int slept = sleep_instead(&span);
        self = rcp_inside();
        if (!self)
            return slept;
        if (!slept) {
            *timeout = (struct timeval){0, 0};
            rcp_effect(timeout, sizeof *timeout);
        }
        rcp_outside(self);
        return slept;
    }
    uint64_t deadline = deadline_after(timeout ? &span : NULL);
    bool waits = !timeout || timeout->tv_sec || timeout->tv_usec;
    look_at_sets(n, in, out, except);
    hide_from_set(n, in);
    rcp_block_leave(self, waits && select_is_due(n, in, out, except));
    int result = RCP_REAL(select)(n, in, out, except, timeout);
    rcp_block_return(self);
    if (!result)
        rcp_clock_reach(deadline);
    rcp_timers_look();
    if (result >= 0)
        effect_of_sets(n, in, out, except);
    if (timeout)
        rcp_effect(timeout, sizeof *timeout); /* Linux says what is left of it */
    rcp_outside(self);
    return result;
}

RCP_INTERCEPT int pselect(int n, fd_set *restrict in, fd_set *restrict out, fd_set *restrict except,
                          const struct timespec *restrict timeout, const sigset_t *restrict mask) {
    if (timeout && is_sleep((nfds_t)n, mask))
        return sleep_instead(timeout);
    rcp_thread *self = rcp_inside();
    if (!self)
        return RCP_REAL(pselect)(n, in, out, except, timeout, mask);
    uint64_t deadline = deadline_after(timeout);
    bool waits = !timeout || timeout->tv_sec || timeout->tv_nsec;
    look_at_sets(n, in, out, except);
    hide_from_set(n, in);
    rcp_block_leave(self, waits && select_is_due(n, in, out, except));
    sigset_t room;
    int result = RCP_REAL(pselect)(n, in, out, except, timeout, rcp_signal_allowed(mask, &room));
    rcp_block_return(self);
    if (!result)
        rcp_clock_reach(deadline);
    rcp_timers_look();
    if (result >= 0)
        effect_of_sets(n, in, out, except);
    rcp_outside(self);
    return result;
}

RCP_INTERCEPT int epoll_ctl(int epoll, int what, int fd, struct epoll_event *events) {
    rcp_streams_kept(fd);
    return RCP_REAL(epoll_ctl)(epoll, what, fd, events);
}

/* Asking epoll itself would use up edge-triggered events; that its descriptor is readable says the same. */
static bool epoll_is_due(int epoll, bool waits) { return waits && rcp_block_is_due(epoll, POLLIN); }

RCP_INTERCEPT int epoll_wait(int epoll, struct epoll_event *events, int room, int timeout) {
    rcp_thread *self = rcp_inside();
    if (!self)
        return RCP_REAL(epoll_wait)(epoll, events, room, timeout);
    uint64_t deadline = deadline_in(timeout);
    rcp_block_leave(self, epoll_is_due(epoll, timeout));
    int n = RCP_REAL(epoll_wait)(epoll, events, room, timeout);
    rcp_block_return(self);
    if (!n)
        rcp_clock_reach(deadline);
    rcp_timers_look();
    if (n > 0)
        rcp_effect(events, (uint64_t)n * sizeof *events);
    rcp_outside(self);
    return n;
}

RCP_INTERCEPT int epoll_pwait(int epoll, struct epoll_event *events, int room, int timeout, const sigset_t *mask) {
    rcp_thread *self = rcp_inside();
    if (!self)
        return RCP_REAL(epoll_pwait)(epoll, events, room, timeout, mask);
    uint64_t deadline = deadline_in(timeout);
    rcp_block_leave(self, epoll_is_due(epoll, timeout));
    sigset_t allowed;
    int n = RCP_REAL(epoll_pwait)(epoll, events, room, timeout, rcp_signal_allowed(mask, &allowed));
    rcp_block_return(self);
    if (!n)
        rcp_clock_reach(deadline);
    rcp_timers_look();
    if (n > 0)
        rcp_effect(events, (uint64_t)n * sizeof *events);
    rcp_outside(self);
    return n;
}

RCP_INTERCEPT int epoll_pwait2(int epoll, struct epoll_event *events, int room, const struct timespec *timeout,
                               const sigset_t *mask) {
    rcp_thread *self = rcp_inside();
    if (!self)
        return RCP_REAL(epoll_pwait2)(epoll, events, room, timeout, mask);
    uint64_t deadline = deadline_after(timeout);
    rcp_block_leave(self, epoll_is_due(epoll, !timeout || timeout->tv_sec || timeout->tv_nsec));
    sigset_t allowed;
    int n = RCP_REAL(epoll_pwait2)(epoll, events, room, timeout, rcp_signal_allowed(mask, &allowed));
    rcp_block_return(self);
    if (!n)
        rcp_clock_reach(deadline);
    rcp_timers_look();
    if (n > 0)
        rcp_effect(events, (uint64_t)n * sizeof *events);
    rcp_outside(self);
    return n;
}
