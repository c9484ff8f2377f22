/* SPDX-License-Identifier: Apache-2.0 */
/* What runs once: pthread_once, call_once, and the guards of C++'s static variables.
 *
 * The words keep libc's and libstdc++'s meaning, so that a finished one is finished for whoever looks at it. Built with
 * exceptions: an initialiser that throws, or is cancelled, goes through pthread_once, and the next one runs it again.
 *
 * Instrumented code looks at a guard's first byte by itself and calls nothing once it is set. So that byte is told as
 * written at the ONCE_END: whoever reads it is ordered after the initialisation by that.
 */
#include "runtime/thread.h"

#include <threads.h>

RCP_REAL_DEFINE(pthread_once)

enum { NEW = 0, BUSY = 1, DONE = 2, GENERATION = 4 }; /* of pthread_once_t; the upper bits count forks */

/* A child of fork has only one thread: what another one was busy with begins anew. */
static int generation(void) {
    static int process, forks;
    int now = (int)rcp_sys(SYS_getpid, 0, 0, 0, 0, 0, 0);
    if (process && now != process)
        forks += GENERATION;
    process = now;
    return forks;
}

static void tell(enum rcp_sync_op op, const void *object) {
    rcp_log_sync(op, (uint64_t)object, RCP_SYNC_ONCE, RCP_SYNC_DONE);
}

typedef struct initialising {
    pthread_once_t *once;
    bool done;
} initialising;

static void end(initialising *i) {
    rcp_thread *self = rcp_inside();
    __atomic_store_n(i->once, i->done ? DONE : NEW, __ATOMIC_RELEASE);
    if (!self)
        return;
    tell(i->done ? RCP_SYNC_ONCE_END : RCP_SYNC_ONCE_ABORT, i->once);
    rcp_wake((uint64_t)i->once, RCP_WAKE_ALL);
    rcp_outside(self);
}

static void initialise(pthread_once_t *once, void (*run)(void)) {
    initialising i __attribute__((cleanup(end))) = {once, false};
    run();
    i.done = true;
}

RCP_INTERCEPT int pthread_once(pthread_once_t *once, void (*run)(void)) {
    rcp_thread *self = rcp_inside();
    if (!self) {
        rcp_wakes_unseen();
        return RCP_REAL(pthread_once)(once, run);
    }
    while (!(*once & DONE) && *once == (generation() | BUSY))
        rcp_wait_for(self, (rcp_wanted){RCP_SYNC_ONCE, (uint64_t)once}, (uint64_t)once, RCP_NO_DEADLINE);
    if (*once & DONE) {
        tell(RCP_SYNC_ONCE_SKIP, once);
        rcp_outside(self);
        return 0;
    }
    *once = generation() | BUSY;
    tell(RCP_SYNC_ONCE_BEGIN, once);
    rcp_outside(self);
    initialise(once, run);
    return 0;
}

RCP_INTERCEPT void call_once(once_flag *once, void (*run)(void)) { pthread_once((pthread_once_t *)once, run); }

/* libstdc++'s; there are none in a C program. */
int __cxa_guard_acquire(uint64_t *guard);
void __cxa_guard_release(uint64_t *guard);
void __cxa_guard_abort(uint64_t *guard);
RCP_REAL_DEFINE(__cxa_guard_acquire)
RCP_REAL_DEFINE(__cxa_guard_release)
RCP_REAL_DEFINE(__cxa_guard_abort)

enum { GUARD_DONE = 1, GUARD_BUSY = 1 << 8 }; /* of its lower half, on little-endian machines */

RCP_INTERCEPT int __cxa_guard_acquire(uint64_t *guard) {
    rcp_thread *self = rcp_inside();
    if (!self)
        return RCP_REAL(__cxa_guard_acquire)(guard);
    uint32_t *word = (uint32_t *)guard;
    while (!(*word & GUARD_DONE) && *word & GUARD_BUSY)
        rcp_wait_for(self, (rcp_wanted){RCP_SYNC_ONCE, (uint64_t)guard}, (uint64_t)guard, RCP_NO_DEADLINE);
    bool mine = !(*word & GUARD_DONE);
    if (mine)
        *word |= GUARD_BUSY;
    tell(mine ? RCP_SYNC_ONCE_BEGIN : RCP_SYNC_ONCE_SKIP, guard);
    rcp_outside(self);
    return mine;
}

static void leave_guard(uint64_t *guard, void (*really)(uint64_t *), enum rcp_sync_op op) {
    rcp_thread *self = rcp_inside();
    really(guard); /* it also wakes threads that are not ours */
    if (!self) {
        rcp_wakes_unseen();
        return;
    }
    tell(op, guard);
    rcp_effect(guard, 1);
    rcp_wake((uint64_t)guard, RCP_WAKE_ALL);
    rcp_outside(self);
}

RCP_INTERCEPT void __cxa_guard_release(uint64_t *guard) {
    leave_guard(guard, RCP_REAL(__cxa_guard_release), RCP_SYNC_ONCE_END);
}

RCP_INTERCEPT void __cxa_guard_abort(uint64_t *guard) {
    leave_guard(guard, RCP_REAL(__cxa_guard_abort), RCP_SYNC_ONCE_ABORT);
}
