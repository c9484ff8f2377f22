/* SPDX-License-Identifier: Apache-2.0 */
/* Read-write locks. The real lock is the state, taken by its try operations; only waiting is ours. So no writer is ever
 * queued in the real lock, and a tryrdlock fails for one reason alone: somebody holds it exclusively, which is what the
 * trace says of a failed shared ACQUIRE (docs/semantics.md, L4).
 *
 * PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP is honoured all the same: while a writer waits, a reader does too, and a
 * tryrdlock fails. How many writers wait is counted in a word of the lock that glibc leaves alone. That one begins to
 * wait can be seen then, so the log says it: a failed ACQUIRE.
 */
#include "runtime/attributes.h"
#include "runtime/deadline.h"
#include "runtime/shared.h"

RCP_REAL_DEFINE(pthread_rwlock_init)
RCP_REAL_DEFINE(pthread_rwlock_destroy)
RCP_REAL_DEFINE(pthread_rwlock_rdlock)
RCP_REAL_DEFINE(pthread_rwlock_tryrdlock)
RCP_REAL_DEFINE(pthread_rwlock_timedrdlock)
RCP_REAL_DEFINE(pthread_rwlock_clockrdlock)
RCP_REAL_DEFINE(pthread_rwlock_wrlock)
RCP_REAL_DEFINE(pthread_rwlock_trywrlock)
RCP_REAL_DEFINE(pthread_rwlock_timedwrlock)
RCP_REAL_DEFINE(pthread_rwlock_clockwrlock)
RCP_REAL_DEFINE(pthread_rwlock_unlock)

typedef enum mode { READ, WRITE } mode;

static bool is_written_by_me(const pthread_rwlock_t *lock) {
    int writer = __atomic_load_n(&lock->__data.__cur_writer, __ATOMIC_RELAXED);
    return writer && writer == (int)rcp_sys(SYS_gettid, 0, 0, 0, 0, 0, 0);
}

static bool is_shared(const pthread_rwlock_t *lock) {
    return rcp_attributes_rwlock(lock) && rcp_shared_has_others(lock);
}

/* Writers wait on the lock's first byte, readers on its second. */
static uint64_t key_of(const pthread_rwlock_t *lock, mode m) { return (uint64_t)lock + (m == READ); }

static void wake_all(const pthread_rwlock_t *lock) {
    rcp_wake(key_of(lock, WRITE), RCP_WAKE_ALL);
    rcp_wake(key_of(lock, READ), RCP_WAKE_ALL);
}

static int try(pthread_rwlock_t *lock, mode m) {
    int e = m == READ ? RCP_REAL(pthread_rwlock_tryrdlock)(lock) : RCP_REAL(pthread_rwlock_trywrlock)(lock);
    if (!e) {
        rcp_recall(key_of(lock, WRITE));
        if (m == WRITE)
            rcp_recall(key_of(lock, READ));
    }
    return e;
}

static void say(enum rcp_sync_op op, const pthread_rwlock_t *lock, enum rcp_sync_outcome outcome) {
    if (!rcp_shared_is_untold(is_shared(lock)))
        rcp_log_sync(op, (uint64_t)lock, RCP_SYNC_RWLOCK, outcome);
}

static void tell(const pthread_rwlock_t *lock, mode m, int e) {
    enum rcp_sync_outcome outcome = RCP_SYNC_DONE;
    if (e == EBUSY || e == EDEADLK)
        outcome = RCP_SYNC_FAILED;
    else if (e == ETIMEDOUT)
        outcome = RCP_SYNC_TIMEOUT;
    else if (e)
        return; /* it was wrong, or there are too many readers: nothing happened */
    say(m == READ ? RCP_SYNC_ACQUIRE_SHARED : RCP_SYNC_ACQUIRE, lock, outcome);
}

static int take_for_real(rcp_thread *self, pthread_rwlock_t *lock, mode m, uint64_t deadline) {
    int e;
    rcp_give(self);
    if (deadline == RCP_NO_DEADLINE) {
        e = m == READ ? RCP_REAL(pthread_rwlock_rdlock)(lock) : RCP_REAL(pthread_rwlock_wrlock)(lock);
    } else {
        struct timespec at = rcp_deadline_on_wall_clock(deadline);
        e = m == READ ? RCP_REAL(pthread_rwlock_timedrdlock)(lock, &at)
                      : RCP_REAL(pthread_rwlock_timedwrlock)(lock, &at);
    }
    rcp_take(self);
    if (e == ETIMEDOUT)
        rcp_clock_reach(deadline);
    return e;
}

static unsigned *waiting_writers(pthread_rwlock_t *lock) { return &lock->__data.__pad3; }

static bool prefers_writers(const pthread_rwlock_t *lock) {
    return lock->__data.__flags == PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP;
}

static bool must_let_writers_go_first(pthread_rwlock_t *lock) {
    return prefers_writers(lock) && *waiting_writers(lock);
}

static int take(rcp_thread *self, pthread_rwlock_t *lock, mode m, uint64_t deadline) {
    bool late = false;
    for (;;) {
        bool second = m == READ && !late && must_let_writers_go_first(lock);
        int e = second ? EBUSY : try(lock, m);
        if (e != EBUSY)
            return e;
        if (is_written_by_me(lock))
            return EDEADLK;
        if (is_shared(lock))
            return take_for_real(self, lock, m, deadline);
        if (late)
            return ETIMEDOUT;
        if (m == WRITE && prefers_writers(lock) && !*waiting_writers(lock))
            tell(lock, m, EBUSY);
        *waiting_writers(lock) += m == WRITE;
        late = rcp_wait_for(self, (rcp_wanted){RCP_SYNC_RWLOCK, (uint64_t)lock}, key_of(lock, m), deadline) ==
               RCP_WOKEN_LATE;
        *waiting_writers(lock) -= m == WRITE;
        if (late && m == WRITE)
            wake_all(lock); /* readers that let it go first */
    }
}

static int lock_until(rcp_thread *self, pthread_rwlock_t *lock, mode m, uint64_t deadline) {
    int e = take(self, lock, m, deadline);
    tell(lock, m, e);
    rcp_outside(self);
    return e;
}

static int try_once(pthread_rwlock_t *lock, mode m) {
    rcp_thread *self = rcp_inside();
    int e = self && m == READ && must_let_writers_go_first(lock) ? EBUSY : try(lock, m);
    if (self) {
        tell(lock, m, e);
        rcp_outside(self);
    }
    return e;
}

RCP_INTERCEPT int pthread_rwlock_rdlock(pthread_rwlock_t *lock) {
    rcp_thread *self = rcp_inside();
    return self ? lock_until(self, lock, READ, RCP_NO_DEADLINE) : RCP_REAL(pthread_rwlock_rdlock)(lock);
}

RCP_INTERCEPT int pthread_rwlock_wrlock(pthread_rwlock_t *lock) {
    rcp_thread *self = rcp_inside();
    return self ? lock_until(self, lock, WRITE, RCP_NO_DEADLINE) : RCP_REAL(pthread_rwlock_wrlock)(lock);
}

RCP_INTERCEPT int pthread_rwlock_tryrdlock(pthread_rwlock_t *lock) { return try_once(lock, READ); }
RCP_INTERCEPT int pthread_rwlock_trywrlock(pthread_rwlock_t *lock) { return try_once(lock, WRITE); }

RCP_INTERCEPT int pthread_rwlock_timedrdlock(pthread_rwlock_t *lock, const struct timespec *time) {
    rcp_thread *self = rcp_deadline_is_time(time) ? rcp_inside() : NULL;
    return self ? lock_until(self, lock, READ, rcp_deadline_of(CLOCK_REALTIME, time))
                : RCP_REAL(pthread_rwlock_timedrdlock)(lock, time);
}

RCP_INTERCEPT int pthread_rwlock_timedwrlock(pthread_rwlock_t *lock, const struct timespec *time) {
    rcp_thread *self = rcp_deadline_is_time(time) ? rcp_inside() : NULL;
    return self ? lock_until(self, lock, WRITE, rcp_deadline_of(CLOCK_REALTIME, time))
                : RCP_REAL(pthread_rwlock_timedwrlock)(lock, time);
}

RCP_INTERCEPT int pthread_rwlock_clockrdlock(pthread_rwlock_t *lock, clockid_t clock, const struct timespec *time) {
    bool valid = rcp_deadline_is_clock(clock) && rcp_deadline_is_time(time);
    rcp_thread *self = valid ? rcp_inside() : NULL;
    return self ? lock_until(self, lock, READ, rcp_deadline_of(clock, time))
                : RCP_REAL(pthread_rwlock_clockrdlock)(lock, clock, time);
}

RCP_INTERCEPT int pthread_rwlock_clockwrlock(pthread_rwlock_t *lock, clockid_t clock, const struct timespec *time) {
    bool valid = rcp_deadline_is_clock(clock) && rcp_deadline_is_time(time);
    rcp_thread *self = valid ? rcp_inside() : NULL;
    return self ? lock_until(self, lock, WRITE, rcp_deadline_of(clock, time))
                : RCP_REAL(pthread_rwlock_clockwrlock)(lock, clock, time);
}

RCP_INTERCEPT int pthread_rwlock_unlock(pthread_rwlock_t *lock) {
    rcp_thread *self = rcp_inside();
    if (!self) {
        rcp_wakes_unseen();
        return RCP_REAL(pthread_rwlock_unlock)(lock);
    }
    bool written = lock->__data.__cur_writer;
    int e = RCP_REAL(pthread_rwlock_unlock)(lock);
    if (!e) {
        say(written ? RCP_SYNC_RELEASE : RCP_SYNC_RELEASE_SHARED, lock, RCP_SYNC_DONE);
        wake_all(lock);
    }
    rcp_outside(self);
    return e;
}

RCP_INTERCEPT int pthread_rwlock_init(pthread_rwlock_t *lock, const pthread_rwlockattr_t *attributes) {
    rcp_thread *self = rcp_inside();
    int e = RCP_REAL(pthread_rwlock_init)(lock, attributes);
    if (self) {
        if (!e && !rcp_shared_is_untold(is_shared(lock)))
            rcp_log_sync_number(RCP_SYNC_INIT, (uint64_t)lock, RCP_SYNC_RWLOCK, 0);
        rcp_outside(self);
    }
    return e;
}

RCP_INTERCEPT int pthread_rwlock_destroy(pthread_rwlock_t *lock) {
    rcp_thread *self = rcp_inside();
    int e = RCP_REAL(pthread_rwlock_destroy)(lock);
    if (self) {
        if (!e)
            say(RCP_SYNC_DESTROY, lock, RCP_SYNC_DONE);
        rcp_outside(self);
    }
    return e;
}
