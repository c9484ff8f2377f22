/* SPDX-License-Identifier: Apache-2.0 */
/* Yielding: the policy may choose another thread. pthread_yield is another name of sched_yield, given by the header. */
#include "runtime/rounds.h"

#include <sched.h>
#include <threads.h>

RCP_REAL_DEFINE(sched_yield)

RCP_INTERCEPT int sched_yield(void) {
    rcp_thread *self = rcp_inside();
    if (!self)
        return RCP_REAL(sched_yield)();
    rcp_rounds_yield(self);
    rcp_yield(self);
    rcp_outside(self);
    return 0;
}

RCP_INTERCEPT void thrd_yield(void) { sched_yield(); }
