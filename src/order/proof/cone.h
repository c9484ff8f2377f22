/* SPDX-License-Identifier: Apache-2.0 */
/* What a schedule must execute before two accesses can both be next (order/proof/vindicate.h).
 *
 * The least prefix of each thread that holds: all before the two accesses in their threads; with an event whatever wdp
 * puts before it (the graph); with a causal read its last writers, and the reads that feed these; with what a term
 * depends on the read itself; and where a lock of one of the two accesses' own sections is held elsewhere, the end of
 * that other section, because theirs can't end. If that needs one of the two accesses executed, they don't race in any
 * schedule: nothing here is a choice.
 *
 * A cone may also begin with the recorded order up to some event, and have sections closed that need not be: then it
 * says nothing against a race, but a schedule is found more quickly.
 *
 * Invariant: need[] grows. Owns its tables; borrows trace, observations and graph.
 */
#ifndef RECIPE_ORDER_PROOF_CONE_H
#define RECIPE_ORDER_PROOF_CONE_H

#include "order/engine/graph.h"
#include "trace/check/causal.h"
#include "trace/check/observed.h"

#define RCP_OPEN UINT32_MAX

/* A critical section of which the cone has at least the acquire. Positions within its thread. */
typedef struct rcp_cone_section {
    uint32_t lock, tid;
    uint32_t acquired, released; /* released RCP_OPEN: the cone does not reach it */
    rcp_mode mode;
} rcp_cone_section;

typedef struct rcp_cone_hold {
    uint32_t lock, depth, section;
    rcp_mode mode;
} rcp_cone_hold;

typedef RCP_VEC(rcp_cone_hold) rcp_cone_holds;

typedef struct rcp_cone {
    const rcp_trace *trace;
    const rcp_observed *observed;
    const rcp_order_graph *graph;
    const rcp_order_graph *supplies; /* NULL, or what is to be needed as well, by choice (order/proof/supplies.h) */
    rcp_eid race[2];
    uint32_t *need, *done; /* per thread: events that are needed; whose consequences are drawn */
    uint32_t *base;        /* per thread: events of the recorded beginning */
    uint64_t recorded;     /* the recorded beginning is events [0, recorded) */
    rcp_cone_holds *holds; /* per thread: what it holds at done[] */
    RCP_VEC(rcp_cone_section) sections;
    rcp_map causal_reads, causal_writes; /* events */
    RCP_VEC(uint64_t) todo; /* causal events whose consequences are not drawn: 2 * event + (1: as a write) */
    rcp_map terms;          /* that have been looked below */
    uint32_t *all;          /* per thread: reads before this position are all causal */
    RCP_VEC(uint32_t) stack;
    uint64_t work; /* events looked at */
    bool refuted;  /* one of the two accesses would have to be executed */
    char why[160];
} rcp_cone;

void rcp_cone_init(rcp_cone *cone, const rcp_trace *trace, const rcp_observed *observed, const rcp_order_graph *graph,
                   rcp_eid earlier, rcp_eid later);
void rcp_cone_finish(rcp_cone *cone);
/* The recorded order up to `recorded` comes first, whatever is needed of it. Before rcp_cone_close(). */
void rcp_cone_begin(rcp_cone *cone, uint64_t recorded);
/* From now on what let others go on in the recorded run is needed as well: a choice. */
void rcp_cone_supply(rcp_cone *cone, const rcp_order_graph *supplies);
/* Draws all consequences. False: refuted. */
bool rcp_cone_close(rcp_cone *cone);
/* A thread's first `count` events are needed, too. */
void rcp_cone_need(rcp_cone *cone, uint32_t tid, uint32_t count);
/* Of open sections on one lock that exclude each other, all but the one that began last are to be closed, and those
 * that a later one has to wait for; a choice. False: can't be. */
bool rcp_cone_close_sections(rcp_cone *cone);

static inline bool rcp_cone_has(const rcp_cone *cone, rcp_eid eid) {
    return cone->trace->position[eid.v] < cone->need[cone->trace->events.at[eid.v].tid.v];
}
static inline rcp_eid rcp_cone_event(const rcp_cone *cone, uint32_t tid, uint32_t position) {
    return rcp_trace_event_of(cone->trace, (rcp_tid){tid}, position);
}
/* Does the section hold one of the two accesses? */
bool rcp_cone_encloses_race(const rcp_cone *cone, const rcp_cone_section *section);

#endif
