/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of the rival's encoder share (predict/rival/smt.h is its interface): smt.c sets it up and encodes
 * order and race, smt_sync.c synchronisation, smt_time.c points of time, smt_memory.c reads and writes, smt_term.c
 * terms (smt_op.c their operators).
 *
 * An event's place in a schedule is an integer, e12 for event 12; `race` is the moment of the race. What is executed
 * comes before it. An event that is not executed has a place, too, at or after `race`: constraints on it are guarded by
 * 'executed', or keep to what must happen before what, which the recorded order satisfies.
 *
 * Branches and fences have no place of their own: they go with the next event of their thread that has one, because
 * nobody else sees them. At a thread's end, where nothing comes next, they keep theirs.
 *
 * Invariant: an event beyond the cone is never executed. All owned by rcp_smt.
 */
#ifndef RECIPE_PREDICT_RIVAL_SMT_STATE_H
#define RECIPE_PREDICT_RIVAL_SMT_STATE_H

#include "base/text.h"
#include "predict/rival/smt.h"
#include "predict/rival/smt_op.h"

#define RCP_AT_RACE UINT64_MAX /* as an event: the moment of the race */

/* What is left in some bytes by whoever wrote them last. */
typedef struct rcp_smt_content {
    rcp_formula known;    /* there is a value */
    rcp_formula value;    /* where known */
    rcp_formula recorded; /* not known, but as recorded (docs/semantics.md) */
} rcp_smt_content;

/* Up to 8 bytes of a read that have the same possible writers, the same life, one observed writer. */
typedef struct rcp_smt_piece {
    uint32_t offset, n;
    uint32_t life, observed;
    size_t writers, n_writers; /* in rcp_smt.writers: 1 + event, 0 is the life's beginning */
    size_t others, n_others;   /* in rcp_smt.writers: those that could come between */
    bool maybe_unknown;
    rcp_formula value, known, deviates;
} rcp_smt_piece;

typedef struct rcp_smt_read {
    uint64_t eid;
    size_t pieces, n_pieces;
    bool pinned; /* may not deviate wherever it is executed */
    rcp_formula deviates;
} rcp_smt_read;

typedef struct rcp_smt_memo {
    uint64_t evaluator; /* 0: nothing; 1: serves every user; else 2 + the event that it was made for */
    rcp_smt_value value;
} rcp_smt_memo;

/* A thread's reads that matter, in order: where each is, and 'this one or one before it deviates'. */
typedef struct rcp_smt_chain {
    RCP_VEC(rcp_position) position;
    RCP_VEC(rcp_formula) deviated;
} rcp_smt_chain;

struct rcp_smt {
    const rcp_smt_facts *facts;
    const rcp_observed *o;
    const rcp_trace *trace;
    rcp_model model;
    bool spurious, own_branches;
    rcp_position *upto, *sure; /* per thread: may be executed, is executed for sure */
    rcp_formulas pool;
    rcp_formula race;
    size_t limit; /* of formulas */
    rcp_smt_ops ops;

    rcp_map read_at; /* event -> reads */
    RCP_VEC(rcp_smt_read) reads;
    RCP_VEC(rcp_smt_piece) pieces;
    RCP_VEC(uint32_t) writers;
    rcp_position *all_before; /* per thread: its reads before this position are needed */
    rcp_smt_chain *chains;    /* per thread */
    uint64_t *place;          /* per event of the cone: the event whose place it has, or RCP_AT_RACE */
    rcp_smt_memo *memo;       /* by term id - RCP_TERM_FIRST */
    RCP_VEC(uint32_t) todo;
    rcp_eids scratch;
    rcp_text comment;
};

static inline const rcp_event *rcp_smt_event(const rcp_smt *s, uint64_t eid) { return &s->trace->events.at[eid]; }
static inline bool rcp_smt_in_cone(const rcp_smt *s, uint64_t eid) {
    return s->trace->position[eid] < s->upto[rcp_smt_event(s, eid)->tid.v];
}

/* smt.c */
/* Is x executed (before the race)? */
rcp_formula rcp_smt_executed(rcp_smt *s, uint64_t x);
/* x comes before y, which is executed if x is not. Either may be RCP_AT_RACE. */
rcp_formula rcp_smt_before(rcp_smt *s, uint64_t x, uint64_t y);
/* Asserts the consequence for an execution of `eid`; the comment names the event and the rule. */
void rcp_smt_require(rcp_smt *s, uint64_t eid, rcp_formula consequence, const char *rule);
/* "T1 r x a.c:3" */
const char *rcp_smt_describe(rcp_smt *s, uint64_t eid);

/* smt_sync.c */
void rcp_smt_sync(rcp_smt *s);

/* smt_time.c */
/* P3, of compare-and-swaps or of all other events; not of the racing ones. `race` may be NULL. */
void rcp_smt_time(rcp_smt *s, bool swaps, const rcp_eid *race);

/* smt_memory.c */
/* Finds which reads matter, and who could have written what they take. `race` may be NULL. False: too many. */
bool rcp_smt_find_reads(rcp_smt *s, const rcp_eid *race);
/* What the model takes an event's terms to be. */
rcp_term rcp_smt_condition_term(const rcp_smt *s, uint64_t eid);
rcp_term rcp_smt_address_term(const rcp_smt *s, uint64_t eid);

/* smt_values.c */
/* Asserts that each read that matters takes the bytes of some write. False: too large. */
bool rcp_smt_take(rcp_smt *s);
/* Has the write w left in [lo, hi), which it covers, what it recorded there? */
rcp_formula rcp_smt_left_as_recorded(rcp_smt *s, uint64_t w, uint64_t lo, uint64_t hi);
/* One of the thread's reads before this position deviates. */
rcp_formula rcp_smt_deviated(rcp_smt *s, rcp_tid tid, rcp_position before);
/* NULL where the read does not matter. */
const rcp_smt_read *rcp_smt_find_read(const rcp_smt *s, uint64_t eid);

/* smt_rules.c */
/* Asserts what reads take, and that branches, addresses, lives and opaque code find what they must. False: too large.
 */
bool rcp_smt_memory(rcp_smt *s);
/* M1: the event's lives have begun and not ended; `other` is the event itself, or its partner in the race. */
rcp_formula rcp_smt_alive(rcp_smt *s, uint64_t eid, uint64_t other);
/* The event's address keeps its value; `at` is when that is asked: the event, or RCP_AT_RACE. */
rcp_formula rcp_smt_address(rcp_smt *s, uint64_t eid, uint64_t at);

/* smt_term.c */
/* The term as `eid` sees it; `own`: what `eid` itself read counts. */
rcp_smt_value rcp_smt_term(rcp_smt *s, uint64_t eid, uint64_t at, rcp_term term, bool own);
#endif
