/* SPDX-License-Identifier: Apache-2.0 */
/* pthread_create, join and detach. Threads end by a key's destructor (lifecycle.c), so pthread_exit needs nothing. */
#include "runtime/cancel.h"
#include "runtime/deadline.h"
#include "runtime/lifecycle.h"
#include "runtime/shared.h"
#include "runtime/signal.h"

#include <time.h>

RCP_REAL_DEFINE(pthread_create)
RCP_REAL_DEFINE(pthread_join)
RCP_REAL_DEFINE(pthread_tryjoin_np)
RCP_REAL_DEFINE(pthread_timedjoin_np)
RCP_REAL_DEFINE(pthread_clockjoin_np)
RCP_REAL_DEFINE(pthread_detach)
RCP_REAL_DECLARE(pthread_setcancelstate)

static void *run(void *data) {
    rcp_thread *self = data;
    self->native_top = (uint64_t)__builtin_frame_address(0);
    rcp_thread_begin(self);
    rcp_sys_restore_signals(&self->signals);
    void *volatile result = self->start(self->argument); /* no tail call: its frames lie below this one */
    return result;
}

static uint64_t stack_size_of(const pthread_attr_t *attributes) {
    size_t size = 0;
    pthread_attr_t defaults;
    if (attributes) {
        pthread_attr_getstacksize(attributes, &size);
    } else if (!pthread_getattr_default_np(&defaults)) {
        pthread_attr_getstacksize(&defaults, &size);
        pthread_attr_destroy(&defaults);
    }
    return size ? size : UINT64_C(8) << 20;
}

static bool begins_detached(const pthread_attr_t *attributes) {
    int state = PTHREAD_CREATE_JOINABLE;
    if (attributes)
        pthread_attr_getdetachstate(attributes, &state);
    return state == PTHREAD_CREATE_DETACHED;
}

RCP_INTERCEPT int pthread_create(pthread_t *id, const pthread_attr_t *attributes, void *(*start)(void *),
                                 void *argument) {
    rcp_thread *self = rcp_inside();
    if (!self)
        return RCP_REAL(pthread_create)(id, attributes, start, argument);
    rcp_shared_decide();
    rcp_thread *child = rcp_thread_create(self, stack_size_of(attributes));
    child->start = start;
    child->argument = argument;
    /* A handler on a thread that is not registered yet would run unrecorded. */
    uint64_t mask;
    rcp_sys_block_signals(&mask);
    child->signals = rcp_signal_mask(mask);
    int e = RCP_REAL(pthread_create)(id, attributes, run, child);
    rcp_sys_restore_signals(&mask);
    if (e) {
        rcp_thread_cancel_create(child);
    } else {
        rcp_thread_created(child, *id, begins_detached(attributes));
        rcp_effect(id, sizeof *id);
    }
    rcp_outside(self);
    return e;
}

/* The errors that the real function would find before it waits. */
static int refusal(const rcp_thread *self, const rcp_thread *child) {
    if (child->detached)
        return EINVAL;
    if (child == self || self->joiner == child)
        return EDEADLK;
    return child->joiner ? EINVAL : 0;
}

/* The thread has ended: what is left of it takes the system a moment. */
static int collect(rcp_thread *child, pthread_t id, void **result) {
    void *value = NULL;
    int state;
    RCP_REAL(pthread_setcancelstate)(PTHREAD_CANCEL_DISABLE, &state); /* it was not woken by a cancel */
    int e = RCP_REAL(pthread_tryjoin_np)(id, &value);
    if (e == EBUSY) { /* on its way out it may still need the baton: see rcp_thread's `afterlife` */
        rcp_give(rcp_self);
        e = RCP_REAL(pthread_join)(id, &value);
        rcp_take(rcp_self);
    }
    RCP_REAL(pthread_setcancelstate)(state, NULL);
    if (e)
        return e;
    child->joined = true;
    rcp_thread_forget(child);
    if (result) {
        *result = value;
        rcp_effect(result, sizeof *result);
    }
    rcp_log_sync(RCP_SYNC_JOIN, child->number, RCP_SYNC_THREAD, RCP_SYNC_DONE);
    return 0;
}

static int failed(const rcp_thread *child, int e) {
    rcp_log_sync(RCP_SYNC_JOIN, child->number, RCP_SYNC_THREAD, e == ETIMEDOUT ? RCP_SYNC_TIMEOUT : RCP_SYNC_FAILED);
    return e;
}

static int join_until(rcp_thread *self, rcp_thread *child, pthread_t id, void **result, uint64_t deadline) {
    int e = refusal(self, child);
    if (e)
        return failed(child, e);
    rcp_cancel_point(self);
    child->joiner = self;
    rcp_woken how = RCP_WOKEN;
    while (!rcp_thread_has_ended(child) && how != RCP_WOKEN_LATE) {
        how = rcp_wait_for(self, (rcp_wanted){RCP_SYNC_THREAD, child->number}, rcp_thread_key(child), deadline);
        if (how == RCP_WOKEN_BY_SIGNAL && rcp_cancel_is_due(self)) {
            child->joiner = NULL; /* it can be joined by another */
            rcp_cancel_point(self);
        }
    }
    child->joiner = NULL;
    return rcp_thread_has_ended(child) ? collect(child, id, result) : failed(child, ETIMEDOUT);
}

/* 0: it is no time, or no clock that is waited for. */
static uint64_t deadline_of(clockid_t clock, const struct timespec *time) {
    if (!time)
        return RCP_NO_DEADLINE;
    uint64_t deadline = rcp_deadline_is_clock(clock) && rcp_deadline_is_time(time) ? rcp_deadline_of(clock, time) : 0;
    return deadline || !rcp_deadline_is_clock(clock) || !rcp_deadline_is_time(time) ? deadline : 1;
}

RCP_INTERCEPT int pthread_join(pthread_t id, void **result) {
    rcp_thread *self = rcp_inside();
    if (!self)
        return RCP_REAL(pthread_join)(id, result);
    rcp_thread *child = rcp_thread_of(id);
    int e;
    if (child) {
        e = join_until(self, child, id, result, RCP_NO_DEADLINE);
    } else { /* not ours: it may block for real */
        rcp_give(self);
        e = RCP_REAL(pthread_join)(id, result);
        rcp_take(self);
    }
    rcp_outside(self);
    return e;
}

RCP_INTERCEPT int pthread_tryjoin_np(pthread_t id, void **result) {
    rcp_thread *self = rcp_inside();
    rcp_thread *child = self ? rcp_thread_of(id) : NULL;
    if (!self)
        return RCP_REAL(pthread_tryjoin_np)(id, result);
    int e;
    if (!child)
        e = RCP_REAL(pthread_tryjoin_np)(id, result);
    else if (!rcp_thread_has_ended(child))
        e = failed(child, EBUSY);
    else
        e = refusal(self, child) ? failed(child, refusal(self, child)) : collect(child, id, result);
    rcp_outside(self);
    return e;
}

RCP_INTERCEPT int pthread_clockjoin_np(pthread_t id, void **result, clockid_t clock, const struct timespec *time) {
    rcp_thread *self = rcp_inside();
    if (!self)
        return RCP_REAL(pthread_clockjoin_np)(id, result, clock, time);
    rcp_thread *child = rcp_thread_of(id);
    uint64_t deadline = deadline_of(clock, time);
    int e;
    if (!child || !deadline) {
        rcp_give(self);
        e = RCP_REAL(pthread_clockjoin_np)(id, result, clock, time);
        rcp_take(self);
    } else {
        e = join_until(self, child, id, result, deadline);
    }
    rcp_outside(self);
    return e;
}

RCP_INTERCEPT int pthread_timedjoin_np(pthread_t id, void **result, const struct timespec *time) {
    return pthread_clockjoin_np(id, result, CLOCK_REALTIME, time);
}

RCP_INTERCEPT int pthread_detach(pthread_t id) {
    rcp_thread *self = rcp_inside();
    if (!self)
        return RCP_REAL(pthread_detach)(id);
    rcp_thread *child = rcp_thread_of(id);
    int e = RCP_REAL(pthread_detach)(id);
    if (!e && child) {
        child->detached = true;
        rcp_thread_forget(child);
        rcp_log_sync(RCP_SYNC_DETACH, child->number, RCP_SYNC_THREAD, RCP_SYNC_DONE);
    }
    rcp_outside(self);
    return e;
}
