/* SPDX-License-Identifier: Apache-2.0 */
/* What sdp keeps beside the frame: writes that only a later read has to come after, and the further relation (xdp) that
 * mends sdp as seed 002 has it.
 *
 * Delayed: of two conflicting writes under one lock the earlier one's release comes before the later writer's next read
 * of the place. As published that is all, and it is not sound (tests/golden/figures/002-sdp-unsound.txt): two critical
 * sections that a delayed order will tie together may already have been passed by rule (b). The mend keeps, per thread
 * and lock, which releases such writes have met, and lets rule (b) fire on them at once.
 *
 * Invariant: a delayed list belongs to one place, whose rcp_shared names it. Owns its tables; the clocks stay the
 * pool's.
 */
#ifndef RECIPE_ORDER_ENGINE_MEND_H
#define RECIPE_ORDER_ENGINE_MEND_H

#include "order/engine/clock.h"

typedef struct rcp_delayed {
    uint32_t tid; /* whose next read */
    rcp_clock clock;
} rcp_delayed;

typedef struct rcp_atomic {
    rcp_stamp stamp;
    rcp_clock weak; /* where there are two clocks */
    bool writes;
} rcp_atomic;

/* What some orders keep of a place beyond the access history. */
typedef struct rcp_extra {
    RCP_VEC(rcp_delayed) delayed;
    RCP_VEC(rcp_atomic) atomics; /* per thread its last atomic read and write */
    RCP_VEC(rcp_stamp) heads;    /* c11: of release sequences that its last write is in, one per thread */
} rcp_extra;

typedef struct rcp_extras {
    rcp_clocks *clocks;
    RCP_VEC(rcp_extra) at; /* 0 is none */
    RCP_VEC(uint32_t) spare;
} rcp_extras;

typedef struct rcp_mend_lock {
    rcp_clock released, acquired; /* xdp_l and xdpAcq_l */
} rcp_mend_lock;

typedef struct rcp_mend {
    RCP_VEC(rcp_clock) threads; /* xdp_t */
    RCP_VEC(rcp_mend_lock) locks;
} rcp_mend;

void rcp_extras_init(rcp_extras *extras, rcp_clocks *clocks);
void rcp_extras_finish(rcp_extras *extras);
uint32_t rcp_extras_make(rcp_extras *extras);
uint32_t rcp_extras_copy(rcp_extras *extras, uint32_t from);
void rcp_extras_drop(rcp_extras *extras, uint32_t extra);
/* The runner's current event is an atomic access of the place. */
void rcp_extra_atomic(rcp_clocks *clocks, rcp_extra *extra, const rcp_runner *runner, bool writes);
void rcp_extra_delay(rcp_clocks *clocks, rcp_extra *extra, uint32_t tid, rcp_stamp stamp);
/* What was delayed for the runner's thread comes before its current event. */
void rcp_extra_take(rcp_clocks *clocks, rcp_extra *extra, rcp_runner *seen);

void rcp_mend_finish(rcp_mend *mend);
rcp_clock *rcp_mend_thread(rcp_mend *mend, uint32_t tid);
rcp_mend_lock *rcp_mend_lock_at(rcp_mend *mend, uint32_t lock);

#endif
