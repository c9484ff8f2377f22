/* SPDX-License-Identifier: Apache-2.0 */
/* What the rival's encoding asks of a trace again and again: what must happen before what, who writes a word, where
 * memory's lives change, whose reads a term is over. Made once per trace.
 *
 * Must-happen-before is the order that every feasible schedule keeps: program order, and for each event what it needs
 * executed before it (its 'needs'): the FORK of its thread, all of a child that it joins, an object's INIT, the ALLOC
 * of its memory, ONCE_END before ONCE_SKIP, what is in line before it (P1). A life that a FREE begins is none of them:
 * the FREE may race with the access.
 *
 * Invariant: immutable once made. Borrows the observed trace.
 */
#ifndef RECIPE_PREDICT_RIVAL_SMT_FACTS_H
#define RECIPE_PREDICT_RIVAL_SMT_FACTS_H

#include "trace/check/observed.h"

/* An ALLOC or FREE. */
typedef struct rcp_smt_change {
    uint64_t eid, lo, hi;
} rcp_smt_change;

/* The reads of a term: all of thread `tid`, the last one at `last`; NONE of no thread, MIXED of several. */
typedef struct rcp_smt_term_facts {
    uint32_t tid;
    rcp_position last;
    bool partial; /* has an operator that may have no value */
} rcp_smt_term_facts;

#define RCP_SMT_NOBODY UINT32_MAX
#define RCP_SMT_MIXED  (UINT32_MAX - 1)

typedef struct rcp_smt_facts {
    const rcp_observed *observed;
    const rcp_trace *trace;
    size_t threads;
    rcp_position *clock;                 /* clock[e * threads + t]: so many events of t must happen before e */
    uint64_t *init, *destroy, *once_end; /* per object; UINT64_MAX: none */
    size_t *needs;                       /* needs of event e: need[needs[e] .. needs[e + 1]) */
    RCP_VEC(uint64_t) need;
    rcp_map words; /* address / 8 -> chain of those that write there */
    RCP_VEC(struct rcp_smt_writer {
        uint64_t eid;
        uint32_t next;
    })
    writers;
    RCP_VEC(rcp_smt_change) changes; /* in order */
    rcp_smt_term_facts *terms;       /* by term id - RCP_TERM_FIRST */
} rcp_smt_facts;

rcp_smt_facts *rcp_smt_facts_create(const rcp_observed *observed);
void rcp_smt_facts_destroy(rcp_smt_facts *facts);

/* Is x executed before y in every feasible schedule that executes y? */
static inline bool rcp_smt_facts_before(const rcp_smt_facts *facts, uint64_t x, uint64_t y) {
    return facts->clock[y * facts->threads + facts->trace->events.at[x].tid.v] > facts->trace->position[x];
}

/* The last ALLOC or FREE before event `eid` that covers `addr`, as a life's number; 0: none. */
uint32_t rcp_smt_facts_life_at(const rcp_smt_facts *facts, uint64_t eid, uint64_t addr);

#endif
