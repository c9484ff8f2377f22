/* SPDX-License-Identifier: Apache-2.0 */
/* The ways of threads: a recorded run and its variants, laid upon each other. As long as a thread goes the same way in
 * two runs its events are the same ones; where it goes another way, a branch, a swap, a lock that was tried or an
 * address turned out otherwise. So the runs of each thread are a tree: a node is an event of the thread with all that
 * came before it, and the sides of a node are by its outcome. What values are is no matter of the tree.
 *
 * The runs must have been told with all of their memory (rcp_recorded_events_tell_all()): else an event may be missing
 * in one that another has.
 *
 * A thread of a run is followed up to where something comes that this can't say (rcp_ways_cut): what is left out is
 * counted, so that 'no race' can be taken for 'not known'.
 *
 * Invariant: a node comes after its parent, and after whatever was before it in the run that brought it: the FORK of
 * its thread, the reads of its terms, the beginning of its memory's life. Borrows the traces, which must be indexed.
 */
#ifndef RECIPE_PREDICT_RIVAL_WAYS_H
#define RECIPE_PREDICT_RIVAL_WAYS_H

#include "base/map.h"
#include "trace/check/observed.h"

#define RCP_NO_NODE UINT32_MAX

/* Why a thread of a run was followed no further. */
typedef enum rcp_ways_cut {
    RCP_CUT_OTHERWISE, /* it does something else than in another run, and nothing says why */
    RCP_CUT_OPAQUE,    /* code outside that reaches memory */
    RCP_CUT_SYNC,      /* a barrier, a once, a lock that is taken again, a join that fails */
    RCP_CUT_MEMORY,    /* an access of many bytes, or of several lives */
    RCP_CUT_ORIGIN,    /* it uses what is beyond where another thread was followed */
    RCP_CUTS
} rcp_ways_cut;
const char *rcp_ways_cut_name(rcp_ways_cut cut);

typedef struct rcp_way_node {
    uint32_t thread;
    uint32_t parent;               /* RCP_NO_NODE: the thread's first event */
    uint64_t side;                 /* of the parent */
    uint32_t run, event;           /* that brought it */
    uint32_t swap_run, swap_event; /* of a compare-and-swap: where it succeeds; RCP_NO_NODE: nowhere */
    uint32_t life;                 /* of its bytes: 1 + the node that began it; 0: the trace's beginning */
    uint32_t object, lock;
    uint32_t child; /* FORK, JOIN: a thread; of a thread's first event the node of its FORK, or RCP_NO_NODE */
    bool is_try;    /* said by the caller: it takes what is free, and fails where that is taken */
} rcp_way_node;

/* How the node turned out in some run. */
typedef struct rcp_way_side {
    uint32_t node;
    uint64_t outcome;
    uint32_t run, event;
} rcp_way_side;

typedef struct rcp_way_run {
    const rcp_trace *trace;
    rcp_observed observed;
    uint32_t *node; /* of each event; RCP_NO_NODE: beyond a cut */
} rcp_way_run;

typedef struct rcp_way_object {
    uint64_t address;
    uint32_t init; /* its node; RCP_NO_NODE: none */
    uint8_t kind;  /* rcp_object_kind */
    uint64_t initial;
} rcp_way_object;

typedef struct rcp_ways {
    RCP_VEC(rcp_way_run) runs;
    RCP_VEC(rcp_way_node) nodes;
    RCP_VEC(rcp_way_side) sides;
    RCP_VEC(char *) threads; /* their names */
    RCP_VEC(rcp_way_object) objects;
    rcp_map node_at, side_at, first_at, object_at; /* by what they are */
    uint64_t cuts[RCP_CUTS];
} rcp_ways;

void rcp_ways_init(rcp_ways *ways);
void rcp_ways_finish(rcp_ways *ways);
/* Fails where the trace has too many events to be numbered. *fresh: nodes and sides that no run before has. */
rcp_code rcp_ways_add(rcp_ways *ways, const rcp_trace *trace, size_t *fresh) RCP_MUST_USE;

static inline const rcp_event *rcp_ways_event(const rcp_ways *ways, const rcp_way_node *node) {
    return &ways->runs.at[node->run].trace->events.at[node->event];
}

/* A run in which the node turned out so; NULL: none. */
const rcp_way_side *rcp_ways_side(const rcp_ways *ways, uint32_t node, uint64_t outcome);

/* Is it a compare-and-swap? */
static inline bool rcp_ways_swaps(const rcp_event *e) { return rcp_event_is_access(e) && rcp_term_is_real(e->cond); }

#endif
