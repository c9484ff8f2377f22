/* SPDX-License-Identifier: Apache-2.0 */
/* Spin locks. Whoever finds one taken yields and tries again, as it would natively: so one that is shared with another
 * process works like any other. Nothing in it tells whether it is: where another process can have it, nothing is told
 * of it (shared.h). */
#include "runtime/shared.h"

#include <errno.h>

RCP_REAL_DEFINE(pthread_spin_init)
RCP_REAL_DEFINE(pthread_spin_destroy)
RCP_REAL_DEFINE(pthread_spin_lock)
RCP_REAL_DEFINE(pthread_spin_trylock)
RCP_REAL_DEFINE(pthread_spin_unlock)

static void tell(enum rcp_sync_op op, pthread_spinlock_t *lock, int e) {
    if ((!e || e == EBUSY) && !rcp_shared_is_untold(rcp_shared_has_others((const void *)lock)))
        rcp_log_sync(op, (uint64_t)lock, RCP_SYNC_SPIN, e ? RCP_SYNC_FAILED : RCP_SYNC_DONE);
}

RCP_INTERCEPT int pthread_spin_lock(pthread_spinlock_t *lock) {
    rcp_thread *self = rcp_inside();
    if (!self)
        return RCP_REAL(pthread_spin_lock)(lock);
    int e;
    while ((e = RCP_REAL(pthread_spin_trylock)(lock)) == EBUSY)
        rcp_yield(self);
    tell(RCP_SYNC_ACQUIRE, lock, e);
    rcp_outside(self);
    return e;
}

RCP_INTERCEPT int pthread_spin_trylock(pthread_spinlock_t *lock) {
    rcp_thread *self = rcp_inside();
    int e = RCP_REAL(pthread_spin_trylock)(lock);
    if (self) {
        tell(RCP_SYNC_ACQUIRE, lock, e);
        rcp_outside(self);
    }
    return e;
}

RCP_INTERCEPT int pthread_spin_unlock(pthread_spinlock_t *lock) {
    rcp_thread *self = rcp_inside();
    int e = RCP_REAL(pthread_spin_unlock)(lock);
    if (self) {
        tell(RCP_SYNC_RELEASE, lock, e);
        rcp_outside(self);
    }
    return e;
}

RCP_INTERCEPT int pthread_spin_init(pthread_spinlock_t *lock, int shared) {
    rcp_thread *self = rcp_inside();
    int e = RCP_REAL(pthread_spin_init)(lock, shared);
    if (self) {
        if (!e && !rcp_shared_is_untold(rcp_shared_has_others((const void *)lock)))
            rcp_log_sync_number(RCP_SYNC_INIT, (uint64_t)lock, RCP_SYNC_SPIN, 0);
        rcp_outside(self);
    }
    return e;
}

RCP_INTERCEPT int pthread_spin_destroy(pthread_spinlock_t *lock) {
    rcp_thread *self = rcp_inside();
    int e = RCP_REAL(pthread_spin_destroy)(lock);
    if (self) {
        tell(RCP_SYNC_DESTROY, lock, e);
        rcp_outside(self);
    }
    return e;
}
