/* SPDX-License-Identifier: Apache-2.0 */
#include "predict/solve/search.h"

#include "base/deadline.h"

/* The first from `event` on that was not left out. */
static uint32_t past_idle(const rcp_slice *slice, uint32_t event) {
    while (event < slice->end && rcp_slice_is_idle(slice, event))
        event++;
    return event;
}

/* What was left out right before the event is executed, too. */
static void run_up_to(const rcp_slice *slice, uint32_t event, rcp_witness *witness) {
    const rcp_trace *trace = slice->facts->trace;
    uint32_t last = rcp_run_facts_previous(slice->facts, event);
    bool left_out = last != RCP_NO_EVENT && last >= slice->start && rcp_slice_is_idle(slice, last);
    if (left_out && last >= witness->recorded)
        rcp_witness_run(witness, trace->events.at[event].tid, trace->position[event]);
}

/* The order up to the race as a schedule. */
static void decode(const rcp_query *q, const uint32_t *at, rcp_witness *witness) {
    const rcp_trace *trace = q->facts->trace;
    const rcp_slice *slice = q->slice;
    uint32_t i = 0;
    witness->recorded = slice->start;
    for (; at[i] != q->race && q->event[at[i]] != slice->turned; i++) {
        if (q->event[at[i]] != past_idle(slice, (uint32_t)witness->recorded))
            break;
        witness->recorded = q->event[at[i]] + 1;
    }
    for (; at[i] != q->race && q->event[at[i]] != slice->turned; i++) {
        uint32_t event = q->event[at[i]];
        rcp_witness_run(witness, trace->events.at[event].tid, trace->position[event] + 1);
    }
    for (int side = 0; side < 2; side++) {
        uint32_t race = slice->race[side];
        witness->race[side] = RCP_NO_EID;
        if (slice->is_still)
            continue;
        if (!side || !slice->turns)
            run_up_to(slice, race, witness);
        witness->race[side] = slice->turns || slice->stands ? RCP_NO_EID : (rcp_eid){race};
    }
    for (uint32_t k = 0; k < slice->n_also; k++)
        run_up_to(slice, slice->also[k], witness);
}

static rcp_answer search(const rcp_query *q, rcp_search_options options, rcp_evaluator *evaluator, uint64_t *steps,
                         rcp_witness *witness, rcp_search_stats *stats) {
    rcp_ordering *order = rcp_ordering_create(q->n, q->edges.at, q->edges.len, q->initial);
    rcp_encoding encoding;
    rcp_encoding_init(&encoding, q, options.relaxation, options.spurious_wakeups, order, evaluator);
    evaluator->lookup = rcp_encoding_look_up;
    evaluator->shortcut = rcp_encoding_past;
    evaluator->context = &encoding;
    rcp_answer answer = RCP_ANSWER_LIMIT;
    for (;;) {
        rcp_ordering_answer found = rcp_ordering_solve(order, steps);
        if (found != RCP_ORDERING_FOUND) {
            answer = found == RCP_ORDERING_NONE ? RCP_ANSWER_NONE : RCP_ANSWER_LIMIT;
            break;
        }
        stats->rounds++;
        if (rcp_encoding_look(&encoding)) {
            decode(q, rcp_ordering_borrow_nodes(order), witness);
            answer = RCP_ANSWER_WITNESS;
            break;
        }
        *steps -= *steps < q->n ? *steps : q->n;
        if (!*steps || rcp_deadline_is_over())
            break;
    }
    stats->clauses += encoding.clauses;
    stats->conflicts += rcp_ordering_statistics(order).conflicts;
    stats->variables += rcp_ordering_statistics(order).variables;
    rcp_encoding_finish(&encoding);
    rcp_ordering_destroy(order);
    return answer;
}

rcp_answer rcp_search(const rcp_slice *slice, rcp_search_options options, rcp_evaluator *evaluator, uint64_t *steps,
                      rcp_witness *witness, rcp_search_stats *stats) {
    rcp_query query;
    rcp_query_init(&query, slice, options.relaxation != RCP_RELAX_NOTHING);
    rcp_answer answer = query.infeasible ? RCP_ANSWER_NONE : search(&query, options, evaluator, steps, witness, stats);
    rcp_query_finish(&query);
    return answer;
}
