/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/cancel.h"

#include "runtime/thread.h"

RCP_REAL_DEFINE(pthread_cancel)
RCP_REAL_DEFINE(pthread_setcancelstate)
RCP_REAL_DEFINE(pthread_setcanceltype)

bool rcp_cancel_is_due(const rcp_thread *self) { return self->cancel_wanted && !self->cancel_disabled; }

/* Outside: unwinds, unless the thread is on its way out already. */
static void act(rcp_thread *self) {
    self->cancel_wanted = false;
    pthread_testcancel();
}

void rcp_cancel_point(rcp_thread *self) {
    if (!rcp_cancel_is_due(self))
        return;
    rcp_log_note("a thread is cancelled in a call that waits");
    rcp_outside(self);
    act(self);
    rcp_thread_enter(self);
}

void rcp_cancel_run(rcp_thread *self) {
    if (!rcp_cancel_is_due(self) || !self->cancel_async)
        return;
    rcp_thread_enter(self);
    rcp_log_fault(self, 0, 0); /* it does not go on from here */
    rcp_log_sign(RCP_SIGN_CANCELLED, self);
    rcp_thread_leave(self);
    act(self);
}

/* As if a signal had hit it: it looks before its next event, or when it leaves the runtime. */
static void stop_soon(rcp_thread *target) {
    target->pending = true;
    if (target->hot)
        __atomic_store_n(&target->hot->limit, 0, __ATOMIC_RELAXED);
}

RCP_INTERCEPT int pthread_cancel(pthread_t id) {
    rcp_thread *self = rcp_inside();
    if (!self)
        return RCP_REAL(pthread_cancel)(id);
    rcp_thread *target = rcp_thread_of(id);
    int e = RCP_REAL(pthread_cancel)(id);
    if (!e && target && !rcp_thread_has_ended(target)) {
        target->cancel_wanted = true;
        rcp_log_sign(RCP_SIGN_CANCELS, target);
        if (rcp_cancel_is_due(target)) {
            if (target->cancel_async)
                stop_soon(target);
            rcp_interrupt(target);
        }
    }
    rcp_log_note("pthread_cancel: when a thread acts on it is not an event of the trace");
    rcp_outside(self); /* where a thread that cancels itself asynchronously acts */
    return e;
}

RCP_INTERCEPT int pthread_setcancelstate(int state, int *old) {
    rcp_thread *self = rcp_inside();
    int before = 0, e = RCP_REAL(pthread_setcancelstate)(state, &before);
    if (!e && old)
        *old = before;
    if (!self)
        return e;
    if (!e) {
        if (old)
            rcp_effect(old, sizeof *old);
        self->cancel_disabled = state == PTHREAD_CANCEL_DISABLE;
        if (rcp_cancel_is_due(self) && self->cancel_async)
            stop_soon(self);
    }
    rcp_outside(self);
    return e;
}

/* libc keeps thinking that the type is deferred. */
RCP_INTERCEPT int pthread_setcanceltype(int type, int *old) {
    rcp_thread *self = rcp_inside();
    if (!self)
        return RCP_REAL(pthread_setcanceltype)(type, old);
    if (type != PTHREAD_CANCEL_DEFERRED && type != PTHREAD_CANCEL_ASYNCHRONOUS) {
        rcp_outside(self);
        return EINVAL;
    }
    if (old) {
        *old = self->cancel_async ? PTHREAD_CANCEL_ASYNCHRONOUS : PTHREAD_CANCEL_DEFERRED;
        rcp_effect(old, sizeof *old);
    }
    self->cancel_async = type == PTHREAD_CANCEL_ASYNCHRONOUS;
    if (rcp_cancel_is_due(self) && self->cancel_async)
        stop_soon(self);
    rcp_outside(self);
    return 0;
}
