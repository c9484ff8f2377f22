/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/mutex.h"

#include "runtime/attributes.h"
#include "runtime/deadline.h"
#include "runtime/shared.h"

#include <linux/futex.h>

RCP_REAL_DEFINE(pthread_mutex_init)
RCP_REAL_DEFINE(pthread_mutex_destroy)
RCP_REAL_DEFINE(pthread_mutex_lock)
RCP_REAL_DEFINE(pthread_mutex_trylock)
RCP_REAL_DEFINE(pthread_mutex_timedlock)
RCP_REAL_DEFINE(pthread_mutex_clocklock)
RCP_REAL_DEFINE(pthread_mutex_unlock)

static int type_of(const pthread_mutex_t *mutex) { return mutex->__data.__kind & RCP_MUTEX_TYPE; }

static bool is_robust(const pthread_mutex_t *mutex) { return mutex->__data.__kind & RCP_MUTEX_ROBUST; }

/* A robust one stays with the kernel, which sees its owner die. */
bool rcp_mutex_is_shared(const pthread_mutex_t *mutex) {
    return rcp_attributes_mutex(mutex) && (is_robust(mutex) || rcp_shared_has_others(mutex));
}

static void mark(pthread_mutex_t *mutex, const pthread_mutexattr_t *attributes) {
    int shared = PTHREAD_PROCESS_PRIVATE;
    if (is_robust(mutex) && !pthread_mutexattr_getpshared(attributes, &shared) && shared == PTHREAD_PROCESS_PRIVATE)
        mutex->__data.__spins = RCP_MUTEX_PRIVATE_MARK;
}

/* The owner of a robust one that was released unmended, as glibc writes it. Its trylock (2.36) leaves such a mutex
 * locked behind it, so it is not asked. */
static bool is_lost(const pthread_mutex_t *mutex) { return is_robust(mutex) && mutex->__data.__owner == INT32_MAX - 1; }

static int try(pthread_mutex_t *mutex) {
    if (is_lost(mutex))
        return ENOTRECOVERABLE;
    int e = RCP_REAL(pthread_mutex_trylock)(mutex);
    if (!e || e == EOWNERDEAD)
        rcp_recall((uint64_t)mutex);
    return e;
}

enum rcp_sync_object rcp_mutex_kind(const pthread_mutex_t *mutex) {
    return type_of(mutex) == PTHREAD_MUTEX_RECURSIVE_NP ? RCP_SYNC_RECURSIVE : RCP_SYNC_MUTEX;
}

static bool is_mine(const pthread_mutex_t *mutex) {
    return mutex->__data.__owner == (int)rcp_sys(SYS_gettid, 0, 0, 0, 0, 0, 0);
}

static void say(enum rcp_sync_op op, const pthread_mutex_t *mutex, enum rcp_sync_outcome outcome) {
    if (!rcp_shared_is_untold(rcp_mutex_is_shared(mutex)))
        rcp_log_sync(op, (uint64_t)mutex, rcp_mutex_kind(mutex), outcome);
}

static int lock_for_real(rcp_thread *self, pthread_mutex_t *mutex, uint64_t deadline) {
    int e;
    rcp_give(self);
    if (deadline == RCP_NO_DEADLINE) {
        e = RCP_REAL(pthread_mutex_lock)(mutex);
    } else {
        struct timespec at = rcp_deadline_on_wall_clock(deadline);
        e = RCP_REAL(pthread_mutex_timedlock)(mutex, &at);
    }
    rcp_take(self);
    if (e == ETIMEDOUT)
        rcp_clock_reach(deadline);
    return e;
}

int rcp_mutex_take(rcp_thread *self, pthread_mutex_t *mutex, uint64_t deadline) {
    bool late = false;
    for (;;) {
        int e = try(mutex);
        if (e == EOWNERDEAD)
            rcp_log_note("a robust mutex was taken over from a thread that had died with it");
        if (e != EBUSY)
            return e;
        if (type_of(mutex) == PTHREAD_MUTEX_ERRORCHECK_NP && is_mine(mutex))
            return EDEADLK;
        if (rcp_mutex_is_shared(mutex))
            return lock_for_real(self, mutex, deadline);
        if (late)
            return ETIMEDOUT;
        late = rcp_wait_for(self, (rcp_wanted){rcp_mutex_kind(mutex), (uint64_t)mutex}, (uint64_t)mutex, deadline) ==
               RCP_WOKEN_LATE;
    }
}

int rcp_mutex_release(pthread_mutex_t *mutex) {
    int e = RCP_REAL(pthread_mutex_unlock)(mutex);
    if (!e)
        rcp_wake((uint64_t)mutex, RCP_WAKE_ALL); /* which of them gets it is the policy's choice */
    return e;
}

void rcp_mutex_owner_dies(void) {
    struct robust_list_head *head = NULL;
    size_t size = 0;
    if (RCP_SYS3(SYS_get_robust_list, 0, &head, &size) || !head)
        return;
    const struct robust_list *end = &head->list;
    for (const struct robust_list *i = head->list.next; i != end;) {
        uint64_t entry = (uint64_t)i & ~UINT64_C(1); /* the bit says: inherits priorities */
        pthread_mutex_t *mutex = (pthread_mutex_t *)(entry + (uint64_t)head->futex_offset);
        for (unsigned n = rcp_mutex_kind(mutex) == RCP_SYNC_RECURSIVE ? mutex->__data.__count : 1; n; n--)
            say(RCP_SYNC_RELEASE, mutex, RCP_SYNC_DONE);
        rcp_wake((uint64_t)mutex, RCP_WAKE_ALL); /* none of them runs before the kernel has marked it */
        i = ((const struct robust_list *)entry)->next;
    }
}

/* What a lock operation came to. Nothing is said of one that failed because it was wrong: it did nothing. */
static void tell(const pthread_mutex_t *mutex, int e) {
    enum rcp_sync_outcome outcome = RCP_SYNC_DONE;
    switch (e) {
    case 0:
    case EOWNERDEAD: break;
    case EBUSY:
    case EDEADLK: outcome = RCP_SYNC_FAILED; break;
    case ETIMEDOUT: outcome = RCP_SYNC_TIMEOUT; break;
    default: return;
    }
    say(RCP_SYNC_ACQUIRE, mutex, outcome);
}

static int lock(rcp_thread *self, pthread_mutex_t *mutex, uint64_t deadline) {
    int e = rcp_mutex_take(self, mutex, deadline);
    tell(mutex, e);
    rcp_outside(self);
    return e;
}

RCP_INTERCEPT int pthread_mutex_lock(pthread_mutex_t *mutex) {
    rcp_thread *self = rcp_inside();
    return self ? lock(self, mutex, RCP_NO_DEADLINE) : RCP_REAL(pthread_mutex_lock)(mutex);
}

RCP_INTERCEPT int pthread_mutex_trylock(pthread_mutex_t *mutex) {
    rcp_thread *self = rcp_inside();
    int e = try(mutex);
    if (self) {
        tell(mutex, e);
        rcp_outside(self);
    }
    return e;
}

/* A time that is none counts only where the lock must be waited for, as in glibc. */
static int lock_until(rcp_thread *self, pthread_mutex_t *mutex, clockid_t clock, const struct timespec *time) {
    if (rcp_deadline_is_time(time))
        return lock(self, mutex, rcp_deadline_of(clock, time));
    int e = try(mutex);
    if (e == EBUSY)
        e = type_of(mutex) == PTHREAD_MUTEX_ERRORCHECK_NP && is_mine(mutex) ? EDEADLK : EINVAL;
    tell(mutex, e);
    rcp_outside(self);
    return e;
}

RCP_INTERCEPT int pthread_mutex_timedlock(pthread_mutex_t *mutex, const struct timespec *time) {
    rcp_thread *self = rcp_inside();
    return self ? lock_until(self, mutex, CLOCK_REALTIME, time) : RCP_REAL(pthread_mutex_timedlock)(mutex, time);
}

RCP_INTERCEPT int pthread_mutex_clocklock(pthread_mutex_t *mutex, clockid_t clock, const struct timespec *time) {
    if (!rcp_deadline_is_clock(clock))
        return EINVAL;
    rcp_thread *self = rcp_inside();
    return self ? lock_until(self, mutex, clock, time) : RCP_REAL(pthread_mutex_clocklock)(mutex, clock, time);
}

RCP_INTERCEPT int pthread_mutex_unlock(pthread_mutex_t *mutex) {
    rcp_thread *self = rcp_inside();
    if (!self)
        return RCP_REAL(pthread_mutex_unlock)(mutex);
    int e = rcp_mutex_release(mutex);
    if (!e) {
        say(RCP_SYNC_RELEASE, mutex, RCP_SYNC_DONE);
        if (is_lost(mutex))
            rcp_log_note("a robust mutex was released without pthread_mutex_consistent: nobody can take it any more");
    }
    rcp_outside(self);
    return e;
}

RCP_INTERCEPT int pthread_mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *attributes) {
    rcp_thread *self = rcp_inside();
    int e = RCP_REAL(pthread_mutex_init)(mutex, attributes);
    if (self) {
        if (!e) {
            mark(mutex, attributes);
            if (!rcp_shared_is_untold(rcp_mutex_is_shared(mutex)))
                rcp_log_sync_number(RCP_SYNC_INIT, (uint64_t)mutex, rcp_mutex_kind(mutex), 0);
        }
        rcp_outside(self);
    }
    return e;
}

RCP_INTERCEPT int pthread_mutex_destroy(pthread_mutex_t *mutex) {
    rcp_thread *self = rcp_inside();
    if (!self)
        return RCP_REAL(pthread_mutex_destroy)(mutex);
    enum rcp_sync_object kind = rcp_mutex_kind(mutex); /* gone afterwards */
    bool untold = rcp_shared_is_untold(rcp_mutex_is_shared(mutex));
    int e = RCP_REAL(pthread_mutex_destroy)(mutex);
    if ((!e || e == EBUSY) && !untold)
        rcp_log_sync(e ? RCP_SYNC_SPARED : RCP_SYNC_DESTROY, (uint64_t)mutex, kind, RCP_SYNC_DONE);
    rcp_outside(self);
    return e;
}
