/* SPDX-License-Identifier: Apache-2.0 */
/* Reads whose last writer has to come before whatever depends on them, and on which nothing has depended yet (wdp's D
 * and B in seed 002's Algorithm 2).
 *
 * A branch without terms depends on every earlier read of its thread: for it one clock per thread is enough, the join
 * of what its pending reads wait for. A branch with a term depends on the reads below it: these are found by their
 * number. A thread looks below a term once; what it found there it has taken.
 *
 * Reads are forgotten oldest first where more than the limit order-pending wait for a branch. Then an edge is missing:
 * wdp flags more than it should, never less, and says how many were forgotten.
 *
 * Invariant: what is kept is what the reader did not know when it read. Owns its tables; the clocks stay the pool's.
 */
#ifndef RECIPE_ORDER_ENGINE_PENDING_H
#define RECIPE_ORDER_ENGINE_PENDING_H

#include "base/map.h"
#include "order/engine/clock.h"
#include "trace/model/term.h"

typedef struct rcp_pending_read {
    uint64_t eid; /* of the read */
    rcp_stamp after;
    uint32_t next; /* another one of the same read; UINT32_MAX: none */
} rcp_pending_read;

typedef struct rcp_pending_thread {
    rcp_clock all;
    RCP_VEC(uint64_t) looked; /* a bit per term: this thread has taken what is below it */
} rcp_pending_thread;

typedef struct rcp_pending {
    rcp_clocks *clocks;
    bool by_term; /* terms are known: single reads are kept */
    RCP_VEC(rcp_pending_thread) threads;
    RCP_VEC(rcp_pending_read) reads; /* a ring once it is full */
    uint32_t oldest;
    rcp_map by_eid;
    uint64_t added, forgotten;
    RCP_VEC(uint32_t) stack;
} rcp_pending;

void rcp_pending_init(rcp_pending *pending, rcp_clocks *clocks);
void rcp_pending_finish(rcp_pending *pending);
/* `after` comes before whatever depends on read `eid`, which is the runner's current event. */
void rcp_pending_add(rcp_pending *pending, rcp_runner *runner, uint64_t eid, rcp_stamp after);
/* The runner's current event depends on `term`; ALL: on every read of its thread so far. `terms` may be NULL. With
 * `partial` only on what is below a division, a remainder or a shift: whether there is a value at all. */
void rcp_pending_take(rcp_pending *pending, rcp_runner *runner, const rcp_terms *terms, rcp_term term, bool partial);

#endif
