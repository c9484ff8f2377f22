/* SPDX-License-Identifier: Apache-2.0 */
/* POSIX semaphores. The real count is the state; only waiting is ours. One that other processes may post (initialised
 * so, or named) is waited for in the kernel, where another process can have it.
 */
#include "runtime/attributes.h"
#include "runtime/cancel.h"
#include "runtime/deadline.h"
#include "runtime/names.h"
#include "runtime/say.h"
#include "runtime/shared.h"
#include "runtime/thread.h"

#include <fcntl.h>
#include <semaphore.h>
#include <stdarg.h>

RCP_REAL_DEFINE(sem_init)
RCP_REAL_DEFINE(sem_destroy)
RCP_REAL_DEFINE(sem_wait)
RCP_REAL_DEFINE(sem_trywait)
RCP_REAL_DEFINE(sem_timedwait)
RCP_REAL_DEFINE(sem_clockwait)
RCP_REAL_DEFINE(sem_post)
RCP_REAL_DEFINE(sem_getvalue)
RCP_REAL_DEFINE(sem_open)
RCP_REAL_DEFINE(sem_close)

static bool is_shared(const sem_t *sem) { return rcp_attributes_sem(sem) && rcp_shared_has_others(sem); }

static void tell(enum rcp_sync_op op, const sem_t *sem, enum rcp_sync_outcome outcome) {
    if (!rcp_shared_is_untold(is_shared(sem)))
        rcp_log_sync(op, (uint64_t)sem, RCP_SYNC_SEM, outcome);
}

static void say_number(enum rcp_sync_op op, const sem_t *sem, uint64_t number) {
    if (!rcp_shared_is_untold(is_shared(sem)))
        rcp_log_sync_number(op, (uint64_t)sem, RCP_SYNC_SEM, number);
}

static int value_of(sem_t *sem) {
    int value = 0;
    RCP_REAL(sem_getvalue)(sem, &value);
    return value;
}

/* 0 or an error. */
static int try(sem_t *sem) {
    if (RCP_REAL(sem_trywait)(sem))
        return errno;
    if (!value_of(sem))
        rcp_recall((uint64_t)sem);
    return 0;
}

static int wait_for_real(rcp_thread *self, sem_t *sem, uint64_t deadline) {
    int e;
    rcp_give(self);
    if (deadline == RCP_NO_DEADLINE) {
        e = RCP_REAL(sem_wait)(sem) ? errno : 0;
    } else {
        struct timespec at = rcp_deadline_on_wall_clock(deadline);
        e = RCP_REAL(sem_timedwait)(sem, &at) ? errno : 0;
    }
    rcp_take(self);
    if (e == ETIMEDOUT)
        rcp_clock_reach(deadline);
    return e;
}

static int take(rcp_thread *self, sem_t *sem, uint64_t deadline) {
    rcp_woken how = RCP_WOKEN;
    for (;;) {
        int e = try(sem);
        if (e != EAGAIN)
            return e;
        if (is_shared(sem))
            return wait_for_real(self, sem, deadline);
        if (how == RCP_WOKEN_LATE)
            return ETIMEDOUT;
        if (how == RCP_WOKEN_BY_SIGNAL) {
            rcp_cancel_point(self);
            if (self->interrupted || deadline != RCP_NO_DEADLINE)
                return EINTR;
        }
        self->interrupted = false;
        how = rcp_wait_for(self, (rcp_wanted){RCP_SYNC_SEM, (uint64_t)sem}, (uint64_t)sem, deadline);
    }
}

/* errno is the program's unless the call fails. */
static int answer(rcp_thread *self, int e, int before) {
    rcp_outside(self);
    errno = e ? e : before;
    return e ? -1 : 0;
}

static int wait_until(rcp_thread *self, sem_t *sem, uint64_t deadline) {
    int before = errno;
    rcp_cancel_point(self);
    int e = take(self, sem, deadline);
    if (!e)
        tell(RCP_SYNC_SEM_WAIT, sem, RCP_SYNC_DONE);
    else if (e == ETIMEDOUT)
        tell(RCP_SYNC_SEM_WAIT, sem, RCP_SYNC_TIMEOUT);
    return answer(self, e, before);
}

RCP_INTERCEPT int sem_wait(sem_t *sem) {
    rcp_thread *self = rcp_inside();
    return self ? wait_until(self, sem, RCP_NO_DEADLINE) : RCP_REAL(sem_wait)(sem);
}

RCP_INTERCEPT int sem_timedwait(sem_t *sem, const struct timespec *time) {
    rcp_thread *self = rcp_deadline_is_time(time) ? rcp_inside() : NULL;
    return self ? wait_until(self, sem, rcp_deadline_of(CLOCK_REALTIME, time)) : RCP_REAL(sem_timedwait)(sem, time);
}

RCP_INTERCEPT int sem_clockwait(sem_t *sem, clockid_t clock, const struct timespec *time) {
    bool valid = rcp_deadline_is_clock(clock) && rcp_deadline_is_time(time);
    rcp_thread *self = valid ? rcp_inside() : NULL;
    return self ? wait_until(self, sem, rcp_deadline_of(clock, time)) : RCP_REAL(sem_clockwait)(sem, clock, time);
}

RCP_INTERCEPT int sem_trywait(sem_t *sem) {
    rcp_thread *self = rcp_inside();
    if (!self)
        return RCP_REAL(sem_trywait)(sem);
    int before = errno, e = try(sem);
    if (!e || e == EAGAIN)
        tell(RCP_SYNC_SEM_WAIT, sem, e ? RCP_SYNC_FAILED : RCP_SYNC_DONE);
    return answer(self, e, before);
}

RCP_INTERCEPT int sem_post(sem_t *sem) {
    rcp_thread *self = rcp_inside();
    if (!self)
        return RCP_REAL(sem_post)(sem);
    int before = errno, e = RCP_REAL(sem_post)(sem) ? errno : 0;
    if (!e) {
        tell(RCP_SYNC_SEM_POST, sem, RCP_SYNC_DONE);
        rcp_wake((uint64_t)sem, RCP_WAKE_ALL);
    }
    return answer(self, e, before);
}

RCP_INTERCEPT int sem_getvalue(sem_t *sem, int *value) {
    rcp_thread *self = rcp_inside();
    int e = RCP_REAL(sem_getvalue)(sem, value);
    if (self) {
        if (!e) {
            say_number(RCP_SYNC_SEM_GET, sem, (uint64_t)*value);
            rcp_effect(value, sizeof *value);
        }
        rcp_outside(self);
    }
    return e;
}

RCP_INTERCEPT int sem_init(sem_t *sem, int shared, unsigned value) {
    rcp_thread *self = rcp_inside();
    if (!self)
        return RCP_REAL(sem_init)(sem, shared, value);
    int before = errno, e = RCP_REAL(sem_init)(sem, shared, value) ? errno : 0;
    if (!e)
        say_number(RCP_SYNC_INIT, sem, value);
    return answer(self, e, before);
}

RCP_INTERCEPT int sem_destroy(sem_t *sem) {
    rcp_thread *self = rcp_inside();
    if (!self)
        return RCP_REAL(sem_destroy)(sem);
    int before = errno, e = RCP_REAL(sem_destroy)(sem) ? errno : 0;
    if (!e)
        tell(RCP_SYNC_DESTROY, sem, RCP_SYNC_DONE);
    return answer(self, e, before);
}

/* What libc maps for one that has a name nobody else sees it map. */
RCP_INTERCEPT sem_t *sem_open(const char *name, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    mode_t mode = flags & O_CREAT ? va_arg(rest, mode_t) : 0;
    unsigned value = flags & O_CREAT ? va_arg(rest, unsigned) : 0;
    va_end(rest);
    sem_t *sem = RCP_REAL(sem_open)(name, flags, mode, value);
    rcp_shared_remaps();
    if (flags & O_CREAT && sem != SEM_FAILED) {
        RCP_SAY(path, 300);
        rcp_say_text(&path, "/dev/shm/sem.");
        rcp_say_text(&path, name + (*name == '/'));
        rcp_names_changed(AT_FDCWD, path.text);
    }
    return sem;
}

RCP_INTERCEPT int sem_close(sem_t *sem) {
    rcp_shared_remaps();
    return RCP_REAL(sem_close)(sem);
}
