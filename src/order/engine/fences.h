/* SPDX-License-Identifier: Apache-2.0 */
/* What c11 keeps of a thread's fences: the last one that releases, and what relaxed reads have taken that the next one
 * that acquires will acquire.
 *
 * The naive model is a list of all fences and atomic accesses of a thread. Of the fences that release the last is
 * enough: it knows what those before it knew. What was read is joined: a fence acquires all of it.
 *
 * Some calls are a fence in every thread (membarrier), wherever it is: all that came before comes before such a call,
 * and that before all that comes after. Each thread learns of the last one when it has its next event: a stamp of a
 * thread (order/engine/clock.h) says all that is known at its event, and can't grow afterwards.
 *
 * Invariant: a thread that has neither has no entry. Holds clocks of the frame's pool.
 */
#ifndef RECIPE_ORDER_ENGINE_FENCES_H
#define RECIPE_ORDER_ENGINE_FENCES_H

#include "order/engine/clock.h"
#include "trace/model/defs.h"
#include "trace/model/event.h"

typedef struct rcp_thread_fences {
    rcp_stamp released; /* count 0: there was none */
    rcp_clock taken;    /* by relaxed reads */
} rcp_thread_fences;

typedef struct rcp_fences {
    RCP_VEC(rcp_thread_fences) threads;
    rcp_stamp everywhere; /* the last call that is one in every thread; count 0: there was none */
} rcp_fences;

void rcp_fences_finish(rcp_fences *fences, rcp_clocks *clocks);
/* The thread's; holds until that of another is asked for. */
rcp_thread_fences *rcp_fences_of(rcp_fences *fences, uint32_t tid);

#endif
