/* SPDX-License-Identifier: Apache-2.0 */
/* A query: is there an order of these nodes in which the two accesses race? What can be said before any search: the
 * nodes, the order that every witness has, the parts of memory that they touch.
 *
 * Nodes are the events of a slice in the recorded order, and one more, the *race*: a total order of all of them says
 * what is executed (what comes before the race) and in which order. What comes after the race is not executed, and no
 * rule speaks of it. An event outside the slice is *past* (before `start`: before every node) or *future* (after every
 * node, the race included). A branch that the slice leaves out is where the event before it in its thread is.
 *
 * Edges hold in every witness, whatever the values. Rules that leave a choice are in predict/solve/encode.h; they are
 * found by looking at an order, not listed beforehand.
 *
 * Places: memory cut into the largest ranges of one life that every access of the slice covers wholly or not at all, so
 * each place has one last writer at any time.
 *
 * Invariant: immutable once made; `initial` agrees with the edges. Owns its tables; borrows the slice.
 */
#ifndef RECIPE_PREDICT_SOLVE_QUERY_H
#define RECIPE_PREDICT_SOLVE_QUERY_H

#include "predict/facts/acyclic.h"
#include "predict/solve/slice.h"

#define RCP_NODE_PAST   (UINT32_MAX - 1)
#define RCP_NODE_FUTURE UINT32_MAX

typedef struct rcp_query_place {
    uint64_t lo, hi;
    uint32_t life;                    /* as in rcp_observed_life() */
    uint32_t base;                    /* who wrote it last before the slice: 1 + the event; 0: nobody in this life */
    uint32_t first_writer, n_writers; /* in query.writers: nodes, ascending; opaque ones included */
} rcp_query_place;

/* Of a node: the places that it touches, ascending, in query.touched. */
typedef struct rcp_touched {
    uint32_t first, n;
} rcp_touched;

/* `event` must come before `end`, which ends its life, unless it is not executed. */
typedef struct rcp_life_limit {
    uint32_t node, end;
} rcp_life_limit;

typedef struct rcp_query {
    const rcp_slice *slice;
    const rcp_run_facts *facts;
    uint32_t n;    /* nodes, the race included */
    uint32_t race; /* its node: n - 1 */
    uint32_t swap; /* R4: a racing compare-and-swap that must succeed: the race reads what it reads; or RCP_NO_EVENT */
    uint32_t *event;   /* of a node */
    uint32_t *node_at; /* of event slice->start + i */
    RCP_VEC(rcp_edge) edges;
    bool infeasible;   /* a contradiction already */
    uint32_t *initial; /* an order that agrees with the edges: as recorded, as far as that goes */
    /* what must be before: clocks over the threads of the slice */
    uint32_t n_threads, *thread_of, *number; /* of a node: its thread's number here, its own number in that thread */
    uint32_t *clocks;
    RCP_VEC(rcp_query_place) places;
    RCP_VEC(uint32_t) writers, touched;
    rcp_touched *touches; /* by node */
    RCP_VEC(rcp_life_limit) limits;
} rcp_query;

/* `relaxed`: what a write's value term needs need not be executed (V3). */
void rcp_query_init(rcp_query *query, const rcp_slice *slice, bool relaxed);
void rcp_query_finish(rcp_query *query);

/* The node of an event, RCP_NODE_PAST or RCP_NODE_FUTURE. */
static inline uint32_t rcp_query_node(const rcp_query *query, uint32_t event) {
    const rcp_slice *slice = query->slice;
    if (event == query->swap)
        return query->race;
    if (event < slice->start)
        return RCP_NODE_PAST;
    return event >= slice->end ? RCP_NODE_FUTURE : query->node_at[event - slice->start];
}

/* Do the edges put x before y? Both are nodes. */
static inline bool rcp_query_ordered(const rcp_query *query, uint32_t x, uint32_t y) {
    return query->clocks[(size_t)y * query->n_threads + query->thread_of[x]] > query->number[x];
}

static inline const rcp_event *rcp_query_event(const rcp_query *query, uint32_t node) {
    return rcp_run_facts_event(query->facts, query->event[node]);
}

/* For people (query_dump.c). */
void rcp_query_dump(rcp_text *to, const rcp_query *query, rcp_printer *printer);

static inline bool rcp_query_is_loose(const rcp_query *query, unsigned rule) { return query->slice->loose & rule; }

/* query_memory.c */
/* Whom an executed read took the bytes of a place from when recorded: 1 + the writer. Where opaque code is left out
 * (RCP_LOOSE_OPAQUE), it is opaque code only if nobody else can have left what was read. */
uint32_t rcp_query_observed(const rcp_query *query, uint32_t read, const rcp_query_place *place);
void rcp_query_cut_memory(rcp_query *query);

#endif
