/* SPDX-License-Identifier: Apache-2.0 */
/* Condition variables: queues of ours on the condition's address. The real object keeps what its attributes said, and
 * is signalled too, for waiters that are not ours (another process, a thread that is not recorded).
 *
 * A waiter that a handler of the program's ran on returns as woken spuriously: while the handler ran, a signal may have
 * gone to somebody else. So does one whose condition others get to have while it waits (shared.h). A waiter that was
 * signalled does not act on a cancel that came meanwhile, because the signal would be lost with it.
 */
#include "runtime/answers.h"
#include "runtime/attributes.h"
#include "runtime/cancel.h"
#include "runtime/deadline.h"
#include "runtime/mutex.h"
#include "runtime/shared.h"

#ifdef __x86_64__
#define VERSION "GLIBC_2.3.2" /* there are older ones, for binaries from before 2003 */
#else
#define VERSION NULL
#endif
RCP_REAL_DEFINE_VERSION(pthread_cond_init, VERSION)
RCP_REAL_DEFINE_VERSION(pthread_cond_destroy, VERSION)
RCP_REAL_DEFINE_VERSION(pthread_cond_wait, VERSION)
RCP_REAL_DEFINE_VERSION(pthread_cond_timedwait, VERSION)
RCP_REAL_DEFINE_VERSION(pthread_cond_signal, VERSION)
RCP_REAL_DEFINE_VERSION(pthread_cond_broadcast, VERSION)
RCP_REAL_DEFINE(pthread_cond_clockwait)

static bool is_shared(const pthread_cond_t *cond) { return rcp_attributes_cond(cond) && rcp_shared_has_others(cond); }

/* Of the attributes (attributes.h), too. */
static clockid_t clock_of(const pthread_cond_t *cond) {
    return cond->__data.__wrefs & 2 ? CLOCK_MONOTONIC : CLOCK_REALTIME;
}

static void tell(enum rcp_sync_op op, const pthread_cond_t *cond) {
    if (!rcp_shared_is_untold(is_shared(cond)))
        rcp_log_sync(op, (uint64_t)cond, RCP_SYNC_COND, RCP_SYNC_DONE);
}

/* In a replay that is fed nobody waits for the clock: whether the deadline came is recorded, too. */
static int wait_for_real(rcp_thread *self, pthread_cond_t *cond, pthread_mutex_t *mutex, uint64_t deadline) {
    int e;
    uint64_t recorded, until = deadline;
    if (deadline != RCP_NO_DEADLINE && rcp_answer_result(self, &recorded))
        until = (int)recorded == ETIMEDOUT ? 0 : RCP_NO_DEADLINE;
    rcp_give(self);
    if (until == RCP_NO_DEADLINE) {
        e = RCP_REAL(pthread_cond_wait)(cond, mutex);
    } else {
        struct timespec at = rcp_deadline_on_wall_clock(until);
        e = RCP_REAL(pthread_cond_clockwait)(cond, mutex, CLOCK_REALTIME, &at);
    }
    rcp_take(self);
    if (e == ETIMEDOUT)
        rcp_clock_reach(deadline);
    return e;
}

static int wait_until(rcp_thread *self, pthread_cond_t *cond, pthread_mutex_t *mutex, uint64_t deadline) {
    enum rcp_sync_object kind = rcp_mutex_kind(mutex);
    bool untold = rcp_shared_is_untold(is_shared(cond) || rcp_mutex_is_shared(mutex));
    rcp_cancel_point(self);
    int e;
    rcp_woken how = RCP_WOKEN;
    if (is_shared(cond) && rcp_mutex_is_shared(mutex)) {
        e = wait_for_real(self, cond, mutex, deadline);
        if (e == ETIMEDOUT)
            how = RCP_WOKEN_LATE;
    } else {
        e = rcp_mutex_release(mutex);
        if (e) {
            rcp_outside(self);
            return e;
        }
        if (!untold)
            rcp_log_sync_wait(RCP_SYNC_WAIT, (uint64_t)cond, (uint64_t)mutex, kind, RCP_SYNC_DONE);
        how = rcp_wait_for(self, (rcp_wanted){RCP_SYNC_COND, (uint64_t)cond}, (uint64_t)cond, deadline);
        e = rcp_mutex_take(self, mutex, RCP_NO_DEADLINE);
        if (!e && how == RCP_WOKEN_LATE)
            e = ETIMEDOUT;
    }
    if (!untold)
        rcp_log_sync_wait(RCP_SYNC_WAKE, (uint64_t)cond, (uint64_t)mutex, kind,
                          how == RCP_WOKEN        ? RCP_SYNC_DONE
                          : how == RCP_WOKEN_LATE ? RCP_SYNC_TIMEOUT
                                                  : RCP_SYNC_SPURIOUS);
    if (how == RCP_WOKEN_BY_SIGNAL)
        rcp_cancel_point(self);
    rcp_outside(self);
    return e;
}

RCP_INTERCEPT int pthread_cond_wait(pthread_cond_t *cond, pthread_mutex_t *mutex) {
    rcp_thread *self = rcp_inside();
    return self ? wait_until(self, cond, mutex, RCP_NO_DEADLINE) : RCP_REAL(pthread_cond_wait)(cond, mutex);
}

RCP_INTERCEPT int pthread_cond_timedwait(pthread_cond_t *cond, pthread_mutex_t *mutex, const struct timespec *time) {
    rcp_thread *self = rcp_deadline_is_time(time) ? rcp_inside() : NULL;
    return self ? wait_until(self, cond, mutex, rcp_deadline_of(clock_of(cond), time))
                : RCP_REAL(pthread_cond_timedwait)(cond, mutex, time);
}

RCP_INTERCEPT int pthread_cond_clockwait(pthread_cond_t *cond, pthread_mutex_t *mutex, clockid_t clock,
                                         const struct timespec *time) {
    bool valid = rcp_deadline_is_clock(clock) && rcp_deadline_is_time(time);
    rcp_thread *self = valid ? rcp_inside() : NULL;
    return self ? wait_until(self, cond, mutex, rcp_deadline_of(clock, time))
                : RCP_REAL(pthread_cond_clockwait)(cond, mutex, clock, time);
}

RCP_INTERCEPT int pthread_cond_signal(pthread_cond_t *cond) {
    rcp_thread *self = rcp_inside();
    int e = RCP_REAL(pthread_cond_signal)(cond);
    if (self) {
        tell(RCP_SYNC_SIGNAL, cond);
        rcp_wake((uint64_t)cond, 1);
        rcp_outside(self);
    } else {
        rcp_wakes_unseen();
    }
    return e;
}

RCP_INTERCEPT int pthread_cond_broadcast(pthread_cond_t *cond) {
    rcp_thread *self = rcp_inside();
    int e = RCP_REAL(pthread_cond_broadcast)(cond);
    if (self) {
        tell(RCP_SYNC_BROADCAST, cond);
        rcp_wake((uint64_t)cond, RCP_WAKE_ALL);
        rcp_outside(self);
    } else {
        rcp_wakes_unseen();
    }
    return e;
}

RCP_INTERCEPT int pthread_cond_init(pthread_cond_t *cond, const pthread_condattr_t *attributes) {
    rcp_thread *self = rcp_inside();
    int e = RCP_REAL(pthread_cond_init)(cond, attributes);
    if (self) {
        if (!e && !rcp_shared_is_untold(is_shared(cond)))
            rcp_log_sync_number(RCP_SYNC_INIT, (uint64_t)cond, RCP_SYNC_COND, 0);
        rcp_outside(self);
    }
    return e;
}

/* Those that were woken and wait for the mutex still name the condition in their WAKE, after this. */
RCP_INTERCEPT int pthread_cond_destroy(pthread_cond_t *cond) {
    rcp_thread *self = rcp_inside();
    int e = RCP_REAL(pthread_cond_destroy)(cond);
    if (self) {
        if (!e)
            tell(RCP_SYNC_DESTROY, cond);
        rcp_outside(self);
    }
    return e;
}
