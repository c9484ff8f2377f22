/* SPDX-License-Identifier: Apache-2.0 */
/* A witness: a schedule that ends with two conflicting accesses, both next in their threads.
 *
 * It begins as the recorded run did, for `recorded` events; then it is a list of steps (thread, how far): the thread
 * runs until it has executed `to` of its events. Most of a long run need not change for a race, and long stretches of
 * one thread cost one step, and positions are stable across runs of the same program, so a witness can be carried out.
 *
 * Invariant: steps name existing threads, and `to` of one thread only grows. The witness owns its steps.
 */
#ifndef RECIPE_TRACE_MODEL_WITNESS_H
#define RECIPE_TRACE_MODEL_WITNESS_H

#include "base/vec.h"
#include "trace/model/trace.h"

typedef struct rcp_witness_step {
    rcp_tid tid;
    rcp_position to; /* events of this thread that have been executed after the step */
} rcp_witness_step;

typedef struct rcp_witness {
    uint64_t recorded; /* the first so many events of the trace come first, in the recorded order */
    RCP_VEC(rcp_witness_step) steps;
    rcp_eid race[2]; /* both RCP_NO_EID: an interleaving alone, no race claimed */
} rcp_witness;

void rcp_witness_init(rcp_witness *witness);
void rcp_witness_finish(rcp_witness *witness);
/* Lets `tid` run until it has executed `to` events; merges with the step before where that is the same thread's. */
void rcp_witness_run(rcp_witness *witness, rcp_tid tid, rcp_position to);

/* Has it events in another order than the trace, which is indexed? */
bool rcp_witness_reorders(const rcp_witness *witness, const rcp_trace *trace);
/* The execution that a witness is: its events in its order, as a trace that is indexed, without values that other
 * writers would give them. At the end, where `last` is one, that event. What else a trace has is lent by `trace`, terms
 * name its events. `execution` is for rcp_witness_release(). */
void rcp_witness_execute(const rcp_witness *witness, const rcp_trace *trace, rcp_eid last, rcp_trace *execution);
void rcp_witness_release(rcp_trace *execution);

#endif
