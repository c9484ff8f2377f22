/* SPDX-License-Identifier: Apache-2.0 */
/* Sleeping, and waiting for signals and processes: the baton is given up, the rest is the kernel's.
 *
 * A sleep ends by the clock, so where others run meanwhile the schedule of such a program is the world's in part. */
#include "runtime/answers.h"
#include "runtime/block.h"
#include "runtime/cancel.h"
#include "runtime/signal.h"

#include <errno.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

RCP_REAL_DEFINE(nanosleep)
RCP_REAL_DEFINE(clock_nanosleep)
RCP_REAL_DEFINE(usleep)
RCP_REAL_DEFINE(sleep)
RCP_REAL_DEFINE(pause)
RCP_REAL_DEFINE(sigsuspend)
RCP_REAL_DEFINE(sigwait)
RCP_REAL_DEFINE(sigwaitinfo)
RCP_REAL_DEFINE(sigtimedwait)
RCP_REAL_DEFINE(waitpid)
RCP_REAL_DEFINE(waitid)
RCP_REAL_DEFINE(wait4)

/* In a replay a sleep that went to its end is over at once: what it was for, the schedule sees to. */
static bool is_over(rcp_thread *self) {
    uint64_t result;
    if (!rcp_answer_result(self, &result) || result)
        return false;
    rcp_outside(self);
    return true;
}

/* A cancel that came before the others let it go on came in its sleep: whether the clock was faster says nothing, so
 * that a replay goes the same way. */
static void wake(rcp_thread *self, bool is_early) {
    rcp_block_return(self);
    if (is_early) /* what is written after it comes after whoever has sent the signal */
        rcp_log_sign(RCP_SIGN_SIGNALLED, self);
    rcp_cancel_point(self);
}

RCP_INTERCEPT int nanosleep(const struct timespec *time, struct timespec *rest) {
    rcp_thread *self = rcp_inside();
    if (!self)
        return RCP_REAL(nanosleep)(time, rest);
    if (is_over(self))
        return 0;
    rcp_block_leave(self, true);
    int result = RCP_REAL(nanosleep)(time, rest);
    wake(self, result && errno == EINTR);
    if (result && errno == EINTR && rest)
        rcp_effect(rest, sizeof *rest);
    rcp_outside(self);
    return result;
}

RCP_INTERCEPT int clock_nanosleep(clockid_t clock, int flags, const struct timespec *time, struct timespec *rest) {
    rcp_thread *self = rcp_inside();
    if (!self)
        return RCP_REAL(clock_nanosleep)(clock, flags, time, rest);
    if (is_over(self))
        return 0;
    rcp_block_leave(self, true);
    int result = RCP_REAL(clock_nanosleep)(clock, flags, time, rest);
    wake(self, result == EINTR);
    if (result == EINTR && rest && !(flags & TIMER_ABSTIME))
        rcp_effect(rest, sizeof *rest);
    rcp_outside(self);
    return result;
}

#define SLEEP(name, time)                                                                                              \
    rcp_thread *self = rcp_inside();                                                                                   \
    if (!self)                                                                                                         \
        return RCP_REAL(name)(time);                                                                                   \
    if (is_over(self))                                                                                                 \
        return 0;                                                                                                      \
    int before = errno;                                                                                                \
    errno = 0; /* sleep returns 0 where less than a second is left */                                                  \
    rcp_block_leave(self, true);                                                                                       \
    __auto_type result = RCP_REAL(name)(time);                                                                         \
    bool is_early = errno == EINTR;                                                                                    \
    errno = errno ? errno : before;                                                                                    \
    wake(self, is_early);                                                                                              \
    rcp_outside(self);                                                                                                 \
    return result

RCP_INTERCEPT int usleep(useconds_t time) { SLEEP(usleep, time); }
RCP_INTERCEPT unsigned sleep(unsigned seconds) { SLEEP(sleep, seconds); }

RCP_INTERCEPT int pause(void) { return RCP_BLOCK_CALL(true, pause, ); }

RCP_INTERCEPT int sigsuspend(const sigset_t *mask) {
    rcp_thread *self = rcp_inside();
    if (!self)
        return RCP_REAL(sigsuspend)(mask);
    rcp_block_leave(self, true);
    sigset_t room;
    int result = RCP_REAL(sigsuspend)(rcp_signal_allowed(mask, &room));
    rcp_block_return(self);
    rcp_outside(self);
    return result;
}

RCP_INTERCEPT int sigwait(const sigset_t *restrict set, int *restrict signal) {
    rcp_thread *self = rcp_inside();
    if (!self)
        return RCP_REAL(sigwait)(set, signal);
    rcp_block_leave(self, true);
    int result = RCP_REAL(sigwait)(set, signal);
    rcp_block_return(self);
    if (!result)
        rcp_effect(signal, sizeof *signal);
    rcp_outside(self);
    return result;
}

static int wait_for_signal(const sigset_t *restrict set, siginfo_t *restrict info, const struct timespec *timeout) {
    rcp_thread *self = rcp_inside();
    if (!self)
        return timeout ? RCP_REAL(sigtimedwait)(set, info, timeout) : RCP_REAL(sigwaitinfo)(set, info);
    rcp_block_leave(self, !timeout || timeout->tv_sec || timeout->tv_nsec);
    int signal = timeout ? RCP_REAL(sigtimedwait)(set, info, timeout) : RCP_REAL(sigwaitinfo)(set, info);
    rcp_block_return(self);
    if (signal > 0 && info)
        rcp_effect(info, sizeof *info);
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
    if (!result && info)
        rcp_effect(info, sizeof *info);
    rcp_outside(self);
    return result;
}
