/* SPDX-License-Identifier: Apache-2.0 */
/* An execution in progress, as the checker replays a witness: how far each thread is, what memory holds, what reads
 * took. Rules M, P, I and V of docs/semantics.md.
 *
 * Contents follow the value rule. V1 looks at writers alone, and at whether there is one; V2 keeps recorded contents,
 * because a read that deviates ends the matter; V3 evaluates terms. What a read took is kept only where that differs
 * from what it recorded.
 *
 * Invariant: after a refusal the execution is not used again. Owns its memory and borrows the observed trace.
 */
#ifndef RECIPE_TRACE_CHECK_EXECUTION_H
#define RECIPE_TRACE_CHECK_EXECUTION_H

#include "trace/check/causal.h"
#include "trace/check/memory.h"
#include "trace/check/observed.h"
#include "trace/check/value_rule.h"
#include "trace/model/label.h"

/* What a read took where it is not simply what it recorded. */
typedef struct rcp_taken {
    size_t first; /* in taken_bytes: its bytes, then as many of 'is known' */
    bool deviates;
} rcp_taken;

typedef struct rcp_execution {
    const rcp_observed *observed;
    const rcp_trace *trace;
    rcp_value_rule values;
    rcp_position *done;     /* per thread: events executed */
    uint8_t *deviated;      /* per thread */
    const rcp_bits *causal; /* V1: borrowed */
    rcp_memory memory;
    rcp_ranges modifier; /* as rcp_observed.reached; kept only where the trace has opaque events */
    rcp_map taken_at;    /* read -> taken */
    RCP_VEC(rcp_taken) taken;
    RCP_VEC(uint8_t) taken_bytes;
    RCP_VEC(uint8_t) scratch;
    rcp_evaluator evaluator;
    uint64_t reading;  /* the event in hand, once its read has been done; UINT64_MAX: none */
    rcp_bits *settled; /* V1, V2: a bit per term: its reads are executed */
    RCP_VEC(uint32_t) stack;
    bool early;        /* an evaluation met a read that is not executed yet */
    bool is_unwritten; /* V1, V2: a read was refused whose byte nobody has written in its life */
} rcp_execution;

void rcp_execution_init(rcp_execution *x, const rcp_observed *observed, rcp_value_rule values, const rcp_bits *causal);
void rcp_execution_finish(rcp_execution *x);
/* `x`, not initialised, goes on from where `from` is. */
void rcp_execution_copy(rcp_execution *x, const rcp_execution *from);
/* About how many bytes a copy takes. */
size_t rcp_execution_size(const rcp_execution *x);

static inline bool rcp_execution_has(const rcp_execution *x, rcp_eid eid) {
    return x->trace->position[eid.v] < x->done[x->trace->events.at[eid.v].tid.v];
}

/* Executes what the event does to memory and values; true for kinds that do nothing there. done[] is the caller's. */
bool rcp_execution_step(rcp_execution *x, rcp_eid eid, char why[RCP_REASON_ROOM]);

/* P1 for an event that would come next. */
bool rcp_execution_in_line(const rcp_execution *x, rcp_eid eid, char why[RCP_REASON_ROOM]);
/* M1 for an event that would come next. `freed` is RCP_NO_EID, or a FREE that would come next as well: the life that it
 * begins serves too. */
bool rcp_execution_alive(const rcp_execution *x, rcp_eid eid, rcp_eid freed, char why[RCP_REASON_ROOM]);
/* V3: does the address of an event that would come next keep its value? */
bool rcp_execution_address(rcp_execution *x, rcp_eid eid, char why[RCP_REASON_ROOM]);

#endif
