/* SPDX-License-Identifier: Apache-2.0 */
/* Barriers. There is no way to try one, so a private one is carried out here, in the words of the real object and with
 * the meaning that they have in glibc. One that is shared between processes is waited at for real.
 */
#include "runtime/shared.h"

#include <errno.h>

RCP_REAL_DEFINE(pthread_barrier_init)
RCP_REAL_DEFINE(pthread_barrier_destroy)
RCP_REAL_DEFINE(pthread_barrier_wait)

struct words {         /* as glibc's struct pthread_barrier */
    uint32_t come;     /* how many in all */
    uint32_t complete; /* how many of them belong to complete generations */
    uint32_t members;  /* of a generation */
    uint32_t shared;
    uint32_t gone; /* how many of them have left; when all have, counting begins again */
};
_Static_assert(sizeof(struct words) <= sizeof(pthread_barrier_t), "it has its place in the object");

static struct words *words_of(pthread_barrier_t *barrier) { return (struct words *)(void *)barrier; }

static void tell(enum rcp_sync_op op, pthread_barrier_t *barrier, enum rcp_sync_outcome outcome) {
    if (!rcp_shared_is_untold(words_of(barrier)->shared))
        rcp_log_sync(op, (uint64_t)barrier, RCP_SYNC_BARRIER, outcome);
}

/* The last one who leaves lets pthread_barrier_destroy go on: it waits on the second byte. */
static uint64_t destroyer_key(const pthread_barrier_t *barrier) { return (uint64_t)barrier + 1; }

static void meet(rcp_thread *self, pthread_barrier_t *barrier, bool *last) {
    struct words *w = words_of(barrier);
    uint32_t me = ++w->come;
    *last = me - w->complete == w->members;
    if (*last) {
        w->complete = me;
        rcp_wake((uint64_t)barrier, RCP_WAKE_ALL);
    }
    while ((int32_t)(w->complete - me) < 0)
        rcp_wait_for(self, (rcp_wanted){RCP_SYNC_BARRIER, (uint64_t)barrier}, (uint64_t)barrier, RCP_NO_DEADLINE);
    if (++w->gone == w->come) {
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
    if (rcp_shared_is_untold(words_of(barrier)->shared)) {
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
        if (!e && !rcp_shared_is_untold(words_of(barrier)->shared))
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
    struct words *w = words_of(barrier);
    while (!w->shared && w->gone != w->complete)
        rcp_wait_for(self, (rcp_wanted){RCP_SYNC_BARRIER, (uint64_t)barrier}, destroyer_key(barrier), RCP_NO_DEADLINE);
    int e = RCP_REAL(pthread_barrier_destroy)(barrier);
    if (!e)
        tell(RCP_SYNC_DESTROY, barrier, RCP_SYNC_DONE);
    rcp_outside(self);
    return e;
}
