/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/timers.h"

#include "runtime/deadline.h"
#include "runtime/signal.h"
#include "runtime/world.h"

#include <poll.h>
#include <signal.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

RCP_REAL_DEFINE(alarm)
RCP_REAL_DEFINE(setitimer)
RCP_REAL_DEFINE(timer_settime)
RCP_REAL_DEFINE(getitimer)
RCP_REAL_DEFINE(ualarm)
RCP_REAL_DEFINE(timer_create)
RCP_REAL_DEFINE(timer_gettime)
RCP_REAL_DEFINE(timer_delete)
RCP_REAL_DEFINE(timerfd_settime)

/* --- by signals --- */

static void meet_time(void) {
    if (rcp_is_recording())
        rcp_world_meets(RCP_WORLD_TIME, "the program arms a timer, which runs on the system's clock");
}

RCP_INTERCEPT unsigned alarm(unsigned seconds) {
    rcp_signal_used();
    if (seconds)
        meet_time();
    return RCP_REAL(alarm)(seconds);
}
RCP_INTERCEPT int setitimer(__itimer_which_t which, const struct itimerval *restrict set,
                            struct itimerval *restrict old) {
    rcp_signal_used();
    meet_time();
    return RCP_REAL(setitimer)(which, set, old);
}
RCP_INTERCEPT int timer_settime(timer_t timer, int flags, const struct itimerspec *restrict set,
                                struct itimerspec *restrict old) {
    rcp_signal_used();
    meet_time();
    return RCP_REAL(timer_settime)(timer, flags, set, old);
}

/* Those that only ask, and those by which others come to be. */
RCP_INTERCEPT int getitimer(__itimer_which_t which, struct itimerval *now) {
    rcp_signal_used();
    return RCP_REAL(getitimer)(which, now);
}
RCP_INTERCEPT useconds_t ualarm(useconds_t in, useconds_t each) {
    rcp_signal_used();
    meet_time();
    return RCP_REAL(ualarm)(in, each);
}
RCP_INTERCEPT int timer_create(clockid_t clock, struct sigevent *restrict event, timer_t *restrict timer) {
    rcp_signal_used();
    return RCP_REAL(timer_create)(clock, event, timer);
}
RCP_INTERCEPT int timer_gettime(timer_t timer, struct itimerspec *now) {
    rcp_signal_used();
    return RCP_REAL(timer_gettime)(timer, now);
}
RCP_INTERCEPT int timer_delete(timer_t timer) {
    rcp_signal_used();
    return RCP_REAL(timer_delete)(timer);
}

/* --- by descriptors --- */

enum { TIMERS = 256 };
static struct {
    int fd;
    int64_t at, each; /* on the virtual clock; at 0: free */
} timers[TIMERS];
static unsigned used;

static void arm(int fd, int64_t in, int64_t each) {
    struct itimerspec set = {rcp_clock_time(each), rcp_clock_time(in > 0 ? in : 1)};
    RCP_SYS4(SYS_timerfd_settime, fd, 0, &set, 0);
}

/* The clock shows `now`: those whose time that is go off. */
static void go_off(int64_t now) {
    for (unsigned i = 0; i < used; i++)
        if (timers[i].at && timers[i].at <= now)
            arm(timers[i].fd, 0, timers[i].each);
}

static bool is_off(int fd) {
    struct pollfd one = {.fd = fd, .events = POLLIN};
    struct timespec now = {0, 0};
    return RCP_SYS4(SYS_ppoll, &one, 1, &now, 0) > 0;
}

void rcp_timers_look(void) {
    struct itimerspec is;
    for (unsigned i = 0; i < used; i++) {
        if (!timers[i].at)
            continue;
        if (RCP_SYS2(SYS_timerfd_gettime, timers[i].fd, &is) < 0) {
            timers[i].at = 0; /* it was closed */
        } else if (is_off(timers[i].fd) || !(is.it_value.tv_sec || is.it_value.tv_nsec)) {
            int64_t at = timers[i].at;
            timers[i].at = timers[i].each ? at + timers[i].each : 0;
            rcp_clock_reach((uint64_t)at);
        }
    }
}

static void remember(int fd, int64_t at, int64_t each) {
    unsigned i = 0, free = TIMERS;
    for (; i < used && timers[i].fd != fd; i++)
        if (!timers[i].at)
            free = i;
    if (i == used && free < TIMERS)
        i = free;
    if (i == TIMERS) {
        rcp_world_meets(RCP_WORLD_TIME, "the program arms more timers than can be followed");
        return;
    }
    timers[i].fd = fd;
    timers[i].at = at;
    timers[i].each = each;
    if (i == used)
        used++;
    rcp_clock_on_move(go_off);
}

/* Which clock it goes by was said when it was made; a time that is none of the wall clock's is one of the other. */
static int64_t monotonic_of(const struct timespec *time) {
    int64_t at = rcp_clock_ns(time), wall = rcp_clock_now(CLOCK_REALTIME) - rcp_clock_now(CLOCK_MONOTONIC);
    return at > wall / 2 ? at - wall : at;
}

RCP_INTERCEPT int timerfd_settime(int fd, int flags, const struct itimerspec *set, struct itimerspec *old) {
    rcp_thread *self = rcp_clock_is_fed() && set ? rcp_inside() : NULL;
    if (!self)
        return RCP_REAL(timerfd_settime)(fd, flags, set, old);
    struct itimerspec real = *set;
    int64_t now = rcp_clock_now(CLOCK_MONOTONIC), in = rcp_clock_ns(&set->it_value);
    if (in && flags & TFD_TIMER_ABSTIME) {
        in = monotonic_of(&set->it_value) - now;
        real.it_value = rcp_clock_time(in > 0 ? in : 1);
    }
    int result = RCP_REAL(timerfd_settime)(fd, flags & ~TFD_TIMER_ABSTIME, &real, old);
    if (!result)
        remember(fd, rcp_clock_ns(&set->it_value) ? now + in : 0, rcp_clock_ns(&set->it_interval));
    rcp_outside(self);
    return result;
}
