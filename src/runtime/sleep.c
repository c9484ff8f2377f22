/* SPDX-License-Identifier: Apache-2.0 */
/* Sleeping, and waiting for signals and processes: the baton is given up, the rest is the kernel's.
 *
 * A sleep ends by the clock, so where others run meanwhile the schedule of such a program is the world's in part. In a
 * run that is fed the clock is ours (clock.h), and the schedule's. */
#include "runtime/answers.h"
#include "runtime/block.h"
#include "runtime/cancel.h"
#include "runtime/deadline.h"
#include "runtime/follow.h"
#include "runtime/rounds.h"
#include "runtime/signal.h"
#include "runtime/streams.h"
#include "runtime/thread.h"
#include "runtime/world.h"

#include <errno.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

RCP_REAL_DEFINE(nanosleep)
RCP_REAL_DEFINE(clock_nanosleep)
RCP_REAL_DEFINE(pause)
RCP_REAL_DEFINE(sigsuspend)
RCP_REAL_DEFINE(sigwait)
RCP_REAL_DEFINE(sigwaitinfo)
RCP_REAL_DEFINE(sigtimedwait)
RCP_REAL_DEFINE(waitpid)
RCP_REAL_DEFINE(waitid)
RCP_REAL_DEFINE(wait4)

/* A cancel that came before the others let it go on came in its sleep: whether the clock was faster says nothing, so
 * that a replay goes the same way. */
static void wake(rcp_thread *self, bool is_early) {
    rcp_block_return(self);
    if (is_early) /* what is written after it comes after whoever has sent the signal */
        rcp_log_sign(RCP_SIGN_SIGNALLED, self);
    rcp_cancel_point(self);
}

/* A sleep in a run that is fed is a wait until a deadline on the virtual clock: the schedule says who runs meanwhile
 * and when it is over, and the clock is there then. What a signal ended when it was recorded is left to the system: the
 * signal comes when it comes. After the race nobody waits for what was waited for already. */
typedef enum slept { REALLY, TO_THE_END, INTERRUPTED } slept;
static slept sleep_until(rcp_thread *self, uint64_t deadline) {
    uint64_t recorded;
    if (!rcp_clock_is_fed())
        return REALLY;
    bool known = rcp_answer_result(self, &recorded);
    if (known && recorded)
        return REALLY;
    if (known && !rcp_follow_is_on()) {
        rcp_clock_reach(deadline);
        rcp_yield(self);
    } else if (rcp_wait_on(self, (uint64_t)&self->deadline, deadline) == RCP_WOKEN_BY_SIGNAL) {
        rcp_log_sign(RCP_SIGN_SIGNALLED, self);
        rcp_cancel_point(self);
        return INTERRUPTED;
    }
    rcp_cancel_point(self);
    return TO_THE_END;
}

static int64_t left_until(uint64_t deadline) {
    int64_t left = (int64_t)deadline - rcp_clock_now(CLOCK_MONOTONIC);
    return left > 0 ? left : 0;
}

/* Of the clocks that go with the virtual one; others have CPU time, or nobody can wait for them. */
static bool is_slept_on(clockid_t clock) {
    return clock == CLOCK_REALTIME || clock == CLOCK_MONOTONIC || clock == CLOCK_BOOTTIME || clock == CLOCK_TAI;
}

/* `result` of the real call is 0 or an error. The rest is told where the sleep has a length. */
static int sleep_for(rcp_thread *self, clockid_t clock, int flags, const struct timespec *time, struct timespec *rest) {
    rcp_rounds_yield(self);
    bool relative = !(flags & TIMER_ABSTIME);
    bool ours = time && is_slept_on(clock) && rcp_deadline_is_time(time) && time->tv_sec >= 0;
    uint64_t deadline = !ours ? 0 : relative ? rcp_deadline_in(time) : rcp_deadline_of(clock, time);
    slept how = ours ? sleep_until(self, deadline) : REALLY;
    int result = how == INTERRUPTED ? EINTR : 0;
    if (how == REALLY) {
        bool translated = ours && !relative && rcp_clock_is_fed();
        struct timespec at = translated ? rcp_clock_time(rcp_clock_real(deadline, clock)) : (struct timespec){0};
        self->sleeps_until = ours && !rcp_clock_is_fed() ? deadline : 0;
        rcp_block_leave(self, true);
        result = RCP_REAL(clock_nanosleep)(clock, flags, translated ? &at : time, rest);
        wake(self, result == EINTR);
        self->sleeps_until = 0;
        if (!result && ours)
            rcp_clock_reach(deadline);
    } else if (how == INTERRUPTED && rest && relative) {
        *rest = rcp_clock_time(left_until(deadline));
    }
    if (result == EINTR && rest && relative)
        rcp_effect(rest, sizeof *rest);
    return result;
}

RCP_INTERCEPT int clock_nanosleep(clockid_t clock, int flags, const struct timespec *time, struct timespec *rest) {
    rcp_thread *self = rcp_inside();
    if (!self)
        return RCP_REAL(clock_nanosleep)(clock, flags, time, rest);
    int result = sleep_for(self, clock, flags, time, rest);
    rcp_outside(self);
    return result;
}

/* CLOCK_REALTIME, says POSIX; a length is the same on both. */
RCP_INTERCEPT int nanosleep(const struct timespec *time, struct timespec *rest) {
    rcp_thread *self = rcp_inside();
    if (!self)
        return RCP_REAL(nanosleep)(time, rest);
    int before = errno, result = sleep_for(self, CLOCK_REALTIME, 0, time, rest);
    rcp_outside(self);
    errno = result ? result : before;
    return result ? -1 : 0;
}

RCP_INTERCEPT int usleep(useconds_t time) {
    struct timespec span = {time / 1000000, (long)(time % 1000000) * 1000};
    return nanosleep(&span, NULL);
}

RCP_INTERCEPT unsigned sleep(unsigned seconds) {
    struct timespec span = {seconds, 0}, rest = {0};
    if (!nanosleep(&span, &rest))
        return 0;
    return (unsigned)rest.tv_sec;
}

RCP_INTERCEPT int pause(void) {
    rcp_signal_used();
    return RCP_BLOCK_CALL(true, pause, );
}

RCP_INTERCEPT int sigsuspend(const sigset_t *mask) {
    rcp_thread *self = rcp_inside();
    if (!self)
        return RCP_REAL(sigsuspend)(mask);
    rcp_log_sign(RCP_SIGN_SIGNALS, self);
    rcp_block_leave(self, true);
    sigset_t room;
    int result = RCP_REAL(sigsuspend)(rcp_signal_allowed(mask, &room));
    rcp_block_return(self);
    rcp_outside(self);
    return result;
}

RCP_INTERCEPT int sigwait(const sigset_t *restrict set, int *restrict signal) {
    int result;
    rcp_thread *self = rcp_inside();
    if (!self)
        return RCP_REAL(sigwait)(set, signal);
    siginfo_t whose;
    int error = errno;
    rcp_log_sign(RCP_SIGN_SIGNALS, self);
    rcp_block_leave(self, true);
    do /* as libc's does, which does not say whose signal it is */
        result = RCP_REAL(sigwaitinfo)(set, &whose);
    while (result < 0 && errno == EINTR);
    rcp_block_return(self);
    if (result > 0) {
        rcp_streams_signalled(result, whose.si_code, whose.si_pid);
        *signal = result;
        rcp_effect(signal, sizeof *signal);
    }
    result = result < 0 ? errno : 0;
    errno = error;
    rcp_outside(self);
    return result;
}

/* Whose signal it is comes, too. */
static int wait_for_signal(const sigset_t *restrict set, siginfo_t *restrict info, const struct timespec *timeout) {
    rcp_thread *self = rcp_inside();
    if (!self)
        return timeout ? RCP_REAL(sigtimedwait)(set, info, timeout) : RCP_REAL(sigwaitinfo)(set, info);
    uint64_t deadline = timeout ? rcp_deadline_in(timeout) : RCP_NO_DEADLINE;
    siginfo_t whose;
    info = info ? info : &whose;
    rcp_world_ids();
    rcp_log_sign(RCP_SIGN_SIGNALS, self);
    rcp_block_leave(self, !timeout || timeout->tv_sec || timeout->tv_nsec);
    int signal = timeout ? RCP_REAL(sigtimedwait)(set, info, timeout) : RCP_REAL(sigwaitinfo)(set, info);
    rcp_block_return(self);
    if (signal < 0 && errno == EAGAIN)
        rcp_clock_reach(deadline);
    if (signal > 0) {
        rcp_streams_signalled(signal, info->si_code, info->si_pid);
        if (info != &whose)
            rcp_effect(info, sizeof *info);
    }
    rcp_outside(self);
    return signal;
}

RCP_INTERCEPT int sigwaitinfo(const sigset_t *restrict set, siginfo_t *restrict info) {
    return wait_for_signal(set, info, NULL);
}

RCP_INTERCEPT int sigtimedwait(const sigset_t *restrict set, siginfo_t *restrict info,
                               const struct timespec *restrict timeout) {
    return wait_for_signal(set, info, timeout);
}

RCP_INTERCEPT pid_t waitpid(pid_t child, int *status, int options) {
    rcp_thread *self = rcp_inside();
    if (!self)
        return RCP_REAL(waitpid)(child, status, options);
    rcp_block_leave(self, !(options & WNOHANG));
    pid_t pid = RCP_REAL(waitpid)(child, status, options);
    rcp_block_return(self);
    rcp_streams_answered();
    if (pid > 0 && status)
        rcp_effect(status, sizeof *status);
    rcp_outside(self);
    return pid;
}

RCP_INTERCEPT pid_t wait(int *status) { return waitpid(-1, status, 0); }

RCP_INTERCEPT pid_t wait4(pid_t child, int *status, int options, struct rusage *usage) {
    rcp_thread *self = rcp_inside();
    if (!self)
        return RCP_REAL(wait4)(child, status, options, usage);
    rcp_block_leave(self, !(options & WNOHANG));
    pid_t pid = RCP_REAL(wait4)(child, status, options, usage);
    rcp_block_return(self);
    rcp_streams_answered();
    if (pid > 0 && status)
        rcp_effect(status, sizeof *status);
    if (pid > 0 && usage)
        rcp_effect(usage, sizeof *usage);
    rcp_outside(self);
    return pid;
}

RCP_INTERCEPT pid_t wait3(int *status, int options, struct rusage *usage) { return wait4(-1, status, options, usage); }

RCP_INTERCEPT int waitid(idtype_t type, id_t id, siginfo_t *info, int options) {
    rcp_thread *self = rcp_inside();
    if (!self)
        return RCP_REAL(waitid)(type, id, info, options);
    rcp_block_leave(self, !(options & WNOHANG));
    int result = RCP_REAL(waitid)(type, id, info, options);
    rcp_block_return(self);
    rcp_streams_answered();
    if (!result && info)
        rcp_effect(info, sizeof *info);
    rcp_outside(self);
    return result;
}
