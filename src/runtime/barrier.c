/* SPDX-License-Identifier: Apache-2.0 */
/* Barriers. There is no way to try one, so one that no other process has is carried out here, in the words of the real
 * object and with the meaning that they have in glibc: so whoever is inside when others get to have it (shared.h) goes
 * on as glibc would. One that is shared between processes is waited at for real.
 */
#include "runtime/attributes.h"
#include "runtime/shared.h"

#include "runtime/sys.h"

#include <errno.h>

RCP_REAL_DEFINE(pthread_barrier_init)
RCP_REAL_DEFINE(pthread_barrier_destroy)
RCP_REAL_DEFINE(pthread_barrier_wait)

static struct rcp_barrier_words *words_of(pthread_barrier_t *barrier) {
    return (struct rcp_barrier_words *)(void *)barrier;
}

static bool is_shared(const pthread_barrier_t *barrier) {
    return rcp_attributes_barrier(barrier) && rcp_shared_has_others(barrier);
}

static void tell(enum rcp_sync_op op, pthread_barrier_t *barrier, enum rcp_sync_outcome outcome) {
    if (!rcp_shared_is_untold(is_shared(barrier)))
        rcp_log_sync(op, (uint64_t)barrier, RCP_SYNC_BARRIER, outcome);
}

/* The last one who leaves lets pthread_barrier_destroy go on: it waits on the second byte. */
static uint64_t destroyer_key(const pthread_barrier_t *barrier) { return (uint64_t)barrier + 1; }

/* glibc's: when so many have left, all words begin anew. A destroyer makes it so many, and waits for that. */
static uint32_t last_to_leave(const struct rcp_barrier_words *w) {
    const uint32_t most = UINT32_MAX / 2;
    return most - most % w->members;
}

static void leave_to_others(struct rcp_barrier_words *w) {
    if (__atomic_add_fetch(&w->gone, 1, __ATOMIC_ACQ_REL) != last_to_leave(w))
        return;
    __atomic_store_n(&w->complete, 0, __ATOMIC_RELAXED);
    __atomic_store_n(&w->gone, 0, __ATOMIC_RELAXED);
    __atomic_store_n(&w->come, 0, __ATOMIC_RELEASE);
    RCP_SYS3(SYS_futex, &w->come, FUTEX_WAKE, INT32_MAX);
}

static void meet_others(rcp_thread *self, struct rcp_barrier_words *w, uint32_t me) {
    rcp_give(self);
    for (uint32_t complete; (int32_t)((complete = __atomic_load_n(&w->complete, __ATOMIC_ACQUIRE)) - me) < 0;)
        RCP_SYS4(SYS_futex, &w->complete, FUTEX_WAIT, complete, 0);
    leave_to_others(w);
    rcp_take(self);
}

static void meet(rcp_thread *self, pthread_barrier_t *barrier, bool *last) {
    struct rcp_barrier_words *w = words_of(barrier);
    uint32_t me = ++w->come;
    *last = me - w->complete == w->members;
    if (*last) {
        w->complete = me;
        rcp_wake((uint64_t)barrier, RCP_WAKE_ALL);
    }
    while ((int32_t)(w->complete - me) < 0 && !is_shared(barrier))
        rcp_wait_for(self, (rcp_wanted){RCP_SYNC_BARRIER, (uint64_t)barrier}, (uint64_t)barrier, RCP_NO_DEADLINE);
    if (is_shared(barrier)) {
        meet_others(self, w, me);
        return;
    }
    if (++w->gone == w->come) { /* as glibc does much later */
        w->come = w->complete = w->gone = 0;
        rcp_wake(destroyer_key(barrier), RCP_WAKE_ALL);
    }
}

RCP_INTERCEPT int pthread_barrier_wait(pthread_barrier_t *barrier) {
    rcp_thread *self = rcp_inside();
    if (!self) {
        rcp_wakes_unseen();
        return RCP_REAL(pthread_barrier_wait)(barrier);
    }
    bool last;
    if (rcp_shared_is_untold(is_shared(barrier))) {
        rcp_give(self);
        last = RCP_REAL(pthread_barrier_wait)(barrier) == PTHREAD_BARRIER_SERIAL_THREAD;
        rcp_take(self);
    } else {
        tell(RCP_SYNC_BARRIER_ENTER, barrier, RCP_SYNC_DONE);
        meet(self, barrier, &last);
        tell(RCP_SYNC_BARRIER_LEAVE, barrier, last ? RCP_SYNC_SERIAL : RCP_SYNC_DONE);
    }
    rcp_outside(self);
    return last ? PTHREAD_BARRIER_SERIAL_THREAD : 0;
}

RCP_INTERCEPT int pthread_barrier_init(pthread_barrier_t *barrier, const pthread_barrierattr_t *attributes,
                                       unsigned members) {
    rcp_thread *self = rcp_inside();
    int e = RCP_REAL(pthread_barrier_init)(barrier, attributes, members);
    if (self) {
        if (!e && !rcp_shared_is_untold(is_shared(barrier)))
            rcp_log_sync_number(RCP_SYNC_INIT, (uint64_t)barrier, RCP_SYNC_BARRIER, members);
        rcp_outside(self);
    }
    return e;
}

/* Whoever has left may destroy it while others are on their way out: it waits for them, as glibc does. */
RCP_INTERCEPT int pthread_barrier_destroy(pthread_barrier_t *barrier) {
    rcp_thread *self = rcp_inside();
    if (!self)
        return RCP_REAL(pthread_barrier_destroy)(barrier);
    const struct rcp_barrier_words *w = words_of(barrier);
    while (!is_shared(barrier) && w->gone != w->complete)
        rcp_wait_for(self, (rcp_wanted){RCP_SYNC_BARRIER, (uint64_t)barrier}, destroyer_key(barrier), RCP_NO_DEADLINE);
    bool waits = is_shared(barrier);
    if (waits)
        rcp_give(self);
    int e = RCP_REAL(pthread_barrier_destroy)(barrier);
    if (waits)
        rcp_take(self);
    if (!e)
        tell(RCP_SYNC_DESTROY, barrier, RCP_SYNC_DONE);
    rcp_outside(self);
    return e;
}
