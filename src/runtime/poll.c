/* SPDX-License-Identifier: Apache-2.0 */
/* poll, select, epoll: what is ready already keeps the baton, so the real call is preceded by a look that waits for
 * nothing and changes nothing. */
#include "runtime/block.h"
#include "runtime/descriptors.h"
#include "runtime/deadline.h"
#include "runtime/kept.h"
#include "runtime/ready.h"
#include "runtime/signal.h"
#include "runtime/streams.h"
#include "runtime/sys.h"
#include "runtime/thread.h"
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

/* --- sockets that lead outside, in a replay that is fed (ready.h) --- */

/* Nothing but the clock can end it. True: a signal has. */
static bool sleeps(rcp_thread *self, uint64_t deadline) {
    self->interrupted = false;
    return rcp_wait_on(self, (uint64_t)&rcp_peer_key, deadline) == RCP_WOKEN_BY_SIGNAL && self->interrupted;
}

static bool asks_others(const struct pollfd *fds, nfds_t n) {
    for (nfds_t i = 0; i < n; i++)
        if (fds[i].fd >= 0 && !rcp_talk_of(fds[i].fd))
            return true;
    return false;
}

/* Answers in `revents`, of all. Below 0: errno says why. */
static int poll_fed(rcp_thread *self, struct pollfd *fds, nfds_t n, const struct timespec *timeout) {
    bool waits = !timeout || timeout->tv_sec || timeout->tv_nsec, others = asks_others(fds, n);
    uint64_t deadline = deadline_after(timeout);
    if (n > RCP_READY_MOST)
        rcp_peer_lacks("a call asks for more descriptors than can be followed");
    rcp_ready_answer answer = rcp_ready_answer_to(self, fds, n, waits, others, timeout);
    int ready = 0;
    if (answer == RCP_READY_OTHER && !others && waits && sleeps(self, deadline))
        answer = RCP_READY_SIGNAL;
    if (answer == RCP_READY_SIGNAL) {
        errno = EINTR;
        return -1;
    }
    struct pollfd real[RCP_READY_MOST];
    nfds_t m = 0;
    for (nfds_t i = 0; i < n && others; i++)
        if (fds[i].fd >= 0 && !rcp_talk_of(fds[i].fd) && m < RCP_READY_MOST)
            real[m++] = fds[i];
    if (m) {
        const struct timespec now = {0, 0}, *how_long = answer == RCP_READY ? &now : timeout;
        rcp_block_leave(self, answer != RCP_READY && waits && poll_is_due(real, m));
        int result = RCP_REAL(ppoll)(real, m, how_long, NULL);
        rcp_block_return(self);
        if (result < 0)
            return -1;
    }
    if (answer == RCP_READY_OTHER && waits)
        rcp_ready_waited(fds, n);
    m = 0;
    for (nfds_t i = 0; i < n; i++) {
        if (fds[i].fd >= 0 && others && !rcp_talk_of(fds[i].fd) && m < RCP_READY_MOST)
            fds[i].revents = real[m++].revents;
        ready += fds[i].revents != 0;
    }
    if (!ready)
        rcp_clock_reach(deadline);
    return ready;
}

/* What was asked stays as it was: who reads that meanwhile reads nothing that the call writes. */
static void tell_answers(struct pollfd *fds, nfds_t n) {
    for (nfds_t i = 0; i < n; i++)
        rcp_effect(&fds[i].revents, sizeof fds[i].revents);
}

RCP_INTERCEPT int poll(struct pollfd *fds, nfds_t n, int timeout) {
    if (timeout > 0 && is_sleep(n, NULL))
        return sleep_instead(&(struct timespec){timeout / 1000, (long)(timeout % 1000) * 1000000});
    rcp_thread *self = rcp_inside();
    if (!self)
        return RCP_REAL(poll)(fds, n, timeout);
    if (rcp_ready_is_fed(fds, n)) {
        struct timespec span = {timeout / 1000, (long)(timeout % 1000) * 1000000};
        int given = poll_fed(self, fds, n, timeout < 0 ? NULL : &span);
        if (given >= 0)
            tell_answers(fds, n);
        rcp_outside(self);
        return given;
    }
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
    if (result >= 0) {
        tell_answers(fds, n);
        rcp_ready_keep(self, fds, n);
    }
    rcp_outside(self);
    return result;
}

RCP_INTERCEPT int ppoll(struct pollfd *fds, nfds_t n, const struct timespec *timeout, const sigset_t *mask) {
    if (timeout && is_sleep(n, mask))
        return sleep_instead(timeout);
    rcp_thread *self = rcp_inside();
    if (!self)
        return RCP_REAL(ppoll)(fds, n, timeout, mask);
    if (mask && rcp_ready_is_fed(fds, n))
        rcp_peer_lacks("the program waits for sockets, and for signals that it holds back else");
    if (rcp_ready_is_fed(fds, n)) {
        int given = poll_fed(self, fds, n, timeout);
        if (given >= 0)
            tell_answers(fds, n);
        rcp_outside(self);
        return given;
    }
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
    if (result >= 0) {
        tell_answers(fds, n);
        rcp_ready_keep(self, fds, n);
    }
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

/* Sets as poll has them, of sockets that lead outside; with all others, too. How many there are. */
static nfds_t list_sets(int n, const fd_set *in, const fd_set *out, bool all, struct pollfd *fds) {
    nfds_t count = 0;
    for (int fd = 0; fd < n && fd < FD_SETSIZE; fd++) {
        short events = (short)((in && FD_ISSET(fd, in) ? POLLIN : 0) | (out && FD_ISSET(fd, out) ? POLLOUT : 0));
        if (!events || !(all || rcp_talk_of(fd)))
            continue;
        if (count < RCP_READY_MOST)
            fds[count++] = (struct pollfd){.fd = fd, .events = events};
        else
            rcp_peer_lacks("a call asks for more descriptors than can be followed");
    }
    return count;
}

/* What was asked and what was answered, to be kept. */
typedef struct asked_sets {
    struct pollfd fds[RCP_READY_MOST];
    nfds_t n;
} asked_sets;

static void note_sets(asked_sets *asked, int n, const fd_set *in, const fd_set *out) {
    asked->n = rcp_peer_keeps() ? list_sets(n, in, out, false, asked->fds) : 0;
}

static void keep_sets(rcp_thread *self, asked_sets *asked, const fd_set *in, const fd_set *out, const fd_set *except) {
    for (nfds_t i = 0; i < asked->n; i++) {
        int fd = asked->fds[i].fd;
        asked->fds[i].revents = (short)((asked->fds[i].events & POLLIN && FD_ISSET(fd, in) ? POLLIN : 0) |
                                        (asked->fds[i].events & POLLOUT && FD_ISSET(fd, out) ? POLLOUT : 0));
        if (except && FD_ISSET(fd, except))
            rcp_talk_escapes(fd, "something urgent has come by a socket");
    }
    rcp_ready_keep(self, asked->fds, asked->n);
}

/* `except` is of nobody: nothing urgent comes. */
static int select_fed(rcp_thread *self, int n, fd_set *in, fd_set *out, fd_set *except,
                      const struct timespec *timeout) {
    struct pollfd fds[RCP_READY_MOST];
    nfds_t count = list_sets(n, in, out, true, fds);
    int result = poll_fed(self, fds, count, timeout), bits = 0;
    if (result < 0)
        return result;
    fd_set *sets[] = {in, out, except};
    for (int i = 0; i < 3; i++)
        if (sets[i])
            memset(sets[i], 0, bytes_of_sets(n));
    for (nfds_t i = 0; i < count; i++) {
        if (fds[i].events & POLLIN && fds[i].revents & (POLLIN | POLLHUP | POLLERR))
            FD_SET(fds[i].fd, in), bits++;
        if (fds[i].events & POLLOUT && fds[i].revents & (POLLOUT | POLLERR))
            FD_SET(fds[i].fd, out), bits++;
    }
    effect_of_sets(n, in, out, except);
    return bits;
}

static bool sets_are_fed(int n, const fd_set *in, const fd_set *out) {
    struct pollfd fds[RCP_READY_MOST];
    return rcp_peer_feeds() && n > 0 && list_sets(n, in, out, false, fds);
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
    if (sets_are_fed(n, in, out)) {
        uint64_t until = deadline_after(timeout ? &span : NULL);
        int given = select_fed(self, n, in, out, except, timeout ? &span : NULL);
        if (timeout && given >= 0) {
            int64_t left = (int64_t)until - rcp_clock_now(CLOCK_MONOTONIC);
            struct timespec is = rcp_clock_time(left > 0 ? left : 0);
            *timeout = (struct timeval){is.tv_sec, is.tv_nsec / 1000};
            rcp_effect(timeout, sizeof *timeout);
        }
        rcp_outside(self);
        return given;
    }
    asked_sets asked;
    note_sets(&asked, n, in, out);
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
    if (result >= 0) {
        effect_of_sets(n, in, out, except);
        keep_sets(self, &asked, in, out, except);
    }
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
    if (sets_are_fed(n, in, out)) {
        if (mask)
            rcp_peer_lacks("the program waits for sockets, and for signals that it holds back else");
        int given = select_fed(self, n, in, out, except, timeout);
        rcp_outside(self);
        return given;
    }
    asked_sets asked;
    note_sets(&asked, n, in, out);
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
    if (result >= 0) {
        effect_of_sets(n, in, out, except);
        keep_sets(self, &asked, in, out, except);
    }
    rcp_outside(self);
    return result;
}

RCP_INTERCEPT int epoll_ctl(int epoll, int what, int fd, struct epoll_event *events) {
    rcp_streams_kept(fd);
    rcp_thread *self = rcp_inside();
    if (!self)
        return RCP_REAL(epoll_ctl)(epoll, what, fd, events);
    rcp_descriptors_touched(epoll);
    int result = rcp_talk_fed(fd) ? 0 : RCP_REAL(epoll_ctl)(epoll, what, fd, events);
    if (!result)
        rcp_ready_control(epoll, what, fd, events);
    rcp_outside(self);
    return result;
}

/* Asking epoll itself would use up edge-triggered events; that its descriptor is readable says the same. */
static bool epoll_is_due(int epoll, bool waits) { return waits && rcp_block_is_due(epoll, POLLIN); }

/* Those that lead outside, in the order in which they were told, then those that were not. */
static void keep_events(rcp_thread *self, int epoll, const struct epoll_event *events, int n) {
    struct pollfd all[RCP_READY_MOST], told[RCP_READY_MOST];
    nfds_t m = 0, count = rcp_peer_keeps() ? rcp_ready_list(epoll, all, RCP_READY_MOST) : 0;
    for (int i = 0; i < n && count; i++) {
        int fd = rcp_ready_of_data(epoll, events[i].data);
        for (nfds_t k = 0; k < count; k++)
            if (all[k].fd == fd) {
                told[m] = all[k];
                told[m++].revents = (short)events[i].events;
                all[k].fd = -1;
            }
    }
    for (nfds_t k = 0; k < count; k++)
        if (all[k].fd >= 0)
            told[m++] = all[k];
    rcp_ready_keep(self, told, m);
}

/* Below 0: errno says why. */
static int wait_fed(rcp_thread *self, int epoll, struct epoll_event *events, int room, const struct timespec *timeout) {
    struct pollfd fds[RCP_READY_MOST];
    nfds_t n = rcp_ready_list(epoll, fds, RCP_READY_MOST);
    bool waits = !timeout || timeout->tv_sec || timeout->tv_nsec, others = rcp_ready_has_others(epoll);
    uint64_t deadline = deadline_after(timeout);
    rcp_ready_answer answer = rcp_ready_answer_to(self, fds, n, waits, others, timeout);
    int count = 0;
    rcp_ready_order(self, fds, n);
    if (answer == RCP_READY_OTHER && !others && waits && sleeps(self, deadline))
        answer = RCP_READY_SIGNAL;
    if (answer == RCP_READY_SIGNAL) {
        errno = EINTR;
        return -1;
    }
    for (nfds_t i = 0; i < n && count < room; i++)
        if (fds[i].revents)
            events[count++] = (struct epoll_event){(uint16_t)fds[i].revents, rcp_ready_data(epoll, fds[i].fd)};
    if (others && count < room) {
        const struct timespec now = {0, 0};
        rcp_block_leave(self, !count && epoll_is_due(epoll, waits));
        int result = RCP_REAL(epoll_pwait2)(epoll, events + count, room - count, count ? &now : timeout, NULL);
        rcp_block_return(self);
        if (result < 0)
            return -1;
        count += result;
    }
    if (answer == RCP_READY_OTHER && waits)
        rcp_ready_waited(fds, n);
    if (!count)
        rcp_clock_reach(deadline);
    return count;
}

/* `mask`: of signals; `call`: the real one. */
#define EPOLL_WAIT(timeout, waits, mask, call)                                                                         \
    if (rcp_peer_feeds() && rcp_ready_is_followed(epoll)) {                                                            \
        if (mask)                                                                                                      \
            rcp_peer_lacks("the program waits for sockets, and for signals that it holds back else");                  \
        int given = wait_fed(self, epoll, events, room, timeout);                                                      \
        if (given > 0)                                                                                                 \
            rcp_effect(events, (uint64_t)given * sizeof *events);                                                      \
        rcp_outside(self);                                                                                             \
        return given;                                                                                                  \
    }                                                                                                                  \
    uint64_t deadline = deadline_after(timeout);                                                                       \
    rcp_block_leave(self, epoll_is_due(epoll, waits));                                                                 \
    int n = call;                                                                                                      \
    rcp_block_return(self);                                                                                            \
    if (!n)                                                                                                            \
        rcp_clock_reach(deadline);                                                                                     \
    rcp_timers_look();                                                                                                 \
    if (n > 0)                                                                                                         \
        rcp_effect(events, (uint64_t)n * sizeof *events);                                                              \
    if (n >= 0)                                                                                                        \
        keep_events(self, epoll, events, n);                                                                           \
    rcp_outside(self);                                                                                                 \
    return n

RCP_INTERCEPT int epoll_wait(int epoll, struct epoll_event *events, int room, int timeout) {
    rcp_thread *self = rcp_inside();
    if (!self)
        return RCP_REAL(epoll_wait)(epoll, events, room, timeout);
    struct timespec span = {timeout / 1000, (long)(timeout % 1000) * 1000000}, *until = timeout < 0 ? NULL : &span;
    EPOLL_WAIT(until, timeout, false, RCP_REAL(epoll_wait)(epoll, events, room, timeout));
}

RCP_INTERCEPT int epoll_pwait(int epoll, struct epoll_event *events, int room, int timeout, const sigset_t *mask) {
    rcp_thread *self = rcp_inside();
    if (!self)
        return RCP_REAL(epoll_pwait)(epoll, events, room, timeout, mask);
    struct timespec span = {timeout / 1000, (long)(timeout % 1000) * 1000000}, *until = timeout < 0 ? NULL : &span;
    sigset_t allowed;
    EPOLL_WAIT(until, timeout, mask,
               RCP_REAL(epoll_pwait)(epoll, events, room, timeout, rcp_signal_allowed(mask, &allowed)));
}

RCP_INTERCEPT int epoll_pwait2(int epoll, struct epoll_event *events, int room, const struct timespec *timeout,
                               const sigset_t *mask) {
    rcp_thread *self = rcp_inside();
    if (!self)
        return RCP_REAL(epoll_pwait2)(epoll, events, room, timeout, mask);
    sigset_t allowed;
    EPOLL_WAIT(timeout, !timeout || timeout->tv_sec || timeout->tv_nsec, mask,
               RCP_REAL(epoll_pwait2)(epoll, events, room, timeout, rcp_signal_allowed(mask, &allowed)));
}
