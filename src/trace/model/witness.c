/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/model/witness.h"

void rcp_witness_init(rcp_witness *witness) { *witness = (rcp_witness){.race = {RCP_NO_EID, RCP_NO_EID}}; }

void rcp_witness_finish(rcp_witness *witness) {
    rcp_vec_finish(&witness->steps);
    rcp_witness_init(witness);
}

void rcp_witness_run(rcp_witness *witness, rcp_tid tid, rcp_position to) {
    if (witness->steps.len) {
        rcp_witness_step *last = &witness->steps.at[witness->steps.len - 1];
        if (last->tid.v == tid.v) {
            if (to > last->to)
                last->to = to;
            return;
        }
    }
    rcp_vec_push(&witness->steps, ((rcp_witness_step){tid, to}));
}

void rcp_witness_execute(const rcp_witness *witness, const rcp_trace *trace, rcp_eid last, rcp_trace *execution) {
    *execution = (rcp_trace){.defs = trace->defs, .terms = trace->terms, .bytes = trace->bytes};
    rcp_position *done = rcp_alloc_zero(trace->defs.threads.len + 1, sizeof *done);
    for (uint64_t i = 0; i < witness->recorded; i++) {
        rcp_vec_push(&execution->events, trace->events.at[i]);
        done[trace->events.at[i].tid.v]++;
    }
    for (size_t i = 0; i < witness->steps.len; i++) {
        const rcp_witness_step *step = &witness->steps.at[i];
        for (rcp_position *at = &done[step->tid.v]; *at < step->to; ++*at)
            rcp_vec_push(&execution->events, trace->events.at[rcp_trace_event_of(trace, step->tid, *at).v]);
    }
    if (last.v != RCP_NO_EID.v)
        rcp_vec_push(&execution->events, trace->events.at[last.v]);
    rcp_release(done);
    rcp_trace_index(execution);
}

void rcp_witness_release(rcp_trace *execution) {
    execution->defs = (rcp_defs){0};
    execution->terms = (rcp_terms){0};
    execution->bytes = (rcp_arena){0};
    rcp_trace_finish(execution);
}

bool rcp_witness_reorders(const rcp_witness *witness, const rcp_trace *trace) {
    rcp_position *done = rcp_alloc_zero(trace->defs.threads.len + 1, sizeof *done);
    uint64_t next = witness->recorded; /* no event before this one may come */
    bool reorders = false;
    for (uint32_t t = 0; t < trace->defs.threads.len; t++)
        done[t] = rcp_trace_events_before(trace, t, witness->recorded);
    for (size_t i = 0; i < witness->steps.len && !reorders; i++) {
        const rcp_witness_step *step = &witness->steps.at[i];
        if (step->to <= done[step->tid.v])
            continue;
        reorders = rcp_trace_event_of(trace, step->tid, done[step->tid.v]).v < next;
        next = rcp_trace_event_of(trace, step->tid, step->to - 1).v + 1;
        done[step->tid.v] = step->to;
    }
    rcp_release(done);
    return reorders;
}
