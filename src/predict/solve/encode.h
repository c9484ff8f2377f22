/* SPDX-License-Identifier: Apache-2.0 */
/* The encoder: what an order of a query's nodes must satisfy besides the edges, for every rule of docs/semantics.md and
 * every model. Lazily: it looks at the order that the solver proposes, finds where that breaks a rule, and adds a
 * clause.
 *
 * Each clause holds in every feasible execution, and the order at hand violates it. Both together make the search
 * exact: 'no order' is a proof, and every round excludes something. Where a rule counts (semaphores, barriers,
 * signals), the clause says: one of the pairs whose order made the count what it is must come the other way round.
 *
 * Reads-from: a read that matters gets, for each place that it touches, a group of choices, one per write that it could
 * take the place's contents from. Values are not variables: once every write is chosen they follow, by evaluating terms
 * along the order. Where a branch or an address comes out wrong, the clause is over the values that the reads of its
 * term held, and further clauses say what gave them these values (encode_explain.c).
 *
 * Models are settings: whether reads must keep their values (mc), and before which events all earlier ones of the
 * thread must (rv: rcp_encoding_pins_condition(), _address()).
 *
 * Invariant: state is valid for the order that was looked at last. Borrows the query, the solver and the evaluator.
 */
#ifndef RECIPE_PREDICT_SOLVE_ENCODE_H
#define RECIPE_PREDICT_SOLVE_ENCODE_H

#include "predict/solve/ordering.h"
#include "predict/solve/query.h"

typedef enum rcp_relaxation {
    RCP_RELAX_NOTHING, /* mc: every read keeps its value */
    RCP_RELAX_DATA,    /* rv: reads keep their values before a branch or an address that is not constant */
    RCP_RELAX_VALUES,  /* recipe-s: branches and addresses keep theirs */
} rcp_relaxation;

/* As an event: the race itself. */
#define RCP_THE_RACE (UINT32_MAX - 1)

#define RCP_NOT_DEVIATED    UINT32_MAX
#define RCP_DEVIATED_BEFORE (UINT32_MAX - 1) /* before the slice, in the recorded order */

/* What a write leaves. */
typedef enum rcp_write_left {
    RCP_LEFT_RECORDED,    /* its recorded value */
    RCP_LEFT_VALUE,       /* rcp_encoding.value[] */
    RCP_LEFT_AS_RECORDED, /* no value was recorded, but it is what it was */
    RCP_LEFT_UNKNOWN,
} rcp_write_left;

typedef struct rcp_group {
    uint32_t slot, node;
    uint32_t first, n; /* in options */
} rcp_group;

typedef struct rcp_option_from {
    uint32_t source; /* 1 + the event; 0: the initial contents */
    rcp_lit lit;
} rcp_option_from;

/* A literal of encode_explain.c: what it says of whose value. */
typedef struct rcp_held {
    uint32_t kind, whose;
    uint64_t value;
    rcp_lit lit;
} rcp_held;

typedef struct rcp_encoding {
    const rcp_query *q;
    const rcp_run_facts *facts;
    rcp_relaxation relaxation;
    bool spurious;
    rcp_ordering *order;
    const uint32_t *rank, *at;
    uint32_t *initial_rank;
    RCP_VEC(rcp_lit) clause;
    uint64_t clauses;

    RCP_VEC(uint32_t) objects;  /* that nodes name */
    uint32_t *first_section;    /* by index in objects: its sections, in `sections` */
    RCP_VEC(uint32_t) sections; /* those with a part in the slice */
    RCP_VEC(uint32_t) events;   /* scratch: events of one object */

    /* Slots: a read or write of one place; slot i is query.touched.at[i]. */
    uint32_t *observed;  /* by slot of a read: 1 + the writer when recorded */
    uint32_t *took;      /* by slot of a read: 1 + the writer in this order */
    uint32_t *group_of;  /* by slot; UINT32_MAX: none yet */
    uint32_t *node_of;   /* by slot */
    uint32_t *last;      /* by place: 1 + the last writer, while looking */
    uint8_t *left;       /* by node: rcp_write_left */
    uint64_t *value;     /* by node */
    uint32_t *deviation; /* by thread: the slot in which it first deviated, or one of these: */
    RCP_VEC(rcp_group) groups;
    RCP_VEC(rcp_option_from) options;
    rcp_ranges modifier; /* as the checker's: who changed what last; only where there are opaque events */
    rcp_evaluator *evaluator;
    unsigned faults;  /* found in this walk */
    uint32_t reading; /* the node in hand, once its read has been done */
    uint32_t clock;   /* rank up to which reads are executed */
    bool early;
    /* explaining */
    uint32_t *explained; /* by slot: stamp */
    uint32_t stamp;
    RCP_VEC(uint32_t) slots, deviating, terms;
    uint32_t term_stamp;
    rcp_map terms_seen;
    RCP_VEC(rcp_held) held;
    rcp_map held_at, defined; /* by hash: in `held`; clauses that the solver has */
} rcp_encoding;

void rcp_encoding_init(rcp_encoding *encoding, const rcp_query *query, rcp_relaxation relaxation, bool spurious,
                       rcp_ordering *order, rcp_evaluator *evaluator);
void rcp_encoding_finish(rcp_encoding *encoding);
/* The evaluator's shortcut and lookup; their context is the encoding. What is below terms of the past alone is as it
 * was recorded. */
rcp_shortcut rcp_encoding_past;
rcp_eval rcp_encoding_look_up(void *context, rcp_eid read, uint32_t offset, unsigned bytes, uint64_t *value);

/* Looks at the solver's order. true: it is a feasible execution that ends in the race. false: clauses were added. */
bool rcp_encoding_look(rcp_encoding *encoding);

/* The parts; each returns whether it found nothing. */
bool rcp_encoding_look_at_objects(rcp_encoding *encoding);
bool rcp_encoding_look_at_condition(rcp_encoding *encoding, uint32_t object);
bool rcp_encoding_look_at_barrier(rcp_encoding *encoding, uint32_t object);
bool rcp_encoding_look_at_time(rcp_encoding *encoding);
bool rcp_encoding_look_at_memory(rcp_encoding *encoding);

/* rv: must all earlier reads of its thread keep their values before this branch or compare-and-swap, this address? */
bool rcp_encoding_pins_condition(const rcp_encoding *encoding, uint32_t event);
bool rcp_encoding_pins_address(const rcp_encoding *encoding, uint32_t event);

/* Where an event is: comparable with every other event's. RCP_NO_EVENT is never. */
int64_t rcp_encoding_rank(const rcp_encoding *encoding, uint32_t event);
static inline bool rcp_encoding_executed(const rcp_encoding *encoding, uint32_t event) {
    return rcp_encoding_rank(encoding, event) < rcp_encoding_rank(encoding, RCP_THE_RACE);
}

/* A clause is built literal by literal: the order at hand has none of them. */
void rcp_encoding_want(rcp_encoding *encoding, uint32_t x, uint32_t y); /* event x before event y */
/* The other way round than now. */
void rcp_encoding_swap(rcp_encoding *encoding, uint32_t x, uint32_t y);
/* Event x is not executed. */
static inline void rcp_encoding_drop(rcp_encoding *encoding, uint32_t x) {
    rcp_encoding_want(encoding, RCP_THE_RACE, x);
}
void rcp_encoding_add(rcp_encoding *encoding);

/* The literal 'this slot takes its contents from `source`', and its group if it is the first one asked for. */
rcp_lit rcp_encoding_choice(rcp_encoding *encoding, uint32_t slot, uint32_t source);
const rcp_group *rcp_encoding_borrow_group(rcp_encoding *encoding, uint32_t slot);
/* mc: may the slot take this source? */
bool rcp_encoding_keeps_value(const rcp_encoding *encoding, uint32_t slot, uint32_t source);

/* The slots of a node's read that have a byte in [lo_addr, hi_addr). */
#define RCP_EACH_SLOT(x, node, lo_addr, hi_addr, slot)                                                                 \
    for (uint32_t slot = (x)->q->touches[node].first, slot##_end = slot + (x)->q->touches[node].n; slot < slot##_end;  \
         slot++)                                                                                                       \
        if ((x)->q->places.at[(x)->q->touched.at[slot]].lo < (hi_addr) &&                                              \
            (x)->q->places.at[(x)->q->touched.at[slot]].hi > (lo_addr))

/* Explanations (encode_explain.c): begun, filled with what something was due to, and ended, which adds the clause that
 * excludes it and those that say why it came so. */
void rcp_encoding_explain_begin(rcp_encoding *encoding);
void rcp_encoding_explain_slot(rcp_encoding *encoding, uint32_t slot);
/* That the thread deviated in this slot; RCP_DEVIATED_BEFORE needs no reason. */
void rcp_encoding_explain_deviation(rcp_encoding *encoding, uint32_t slot);
/* `user`: the event that has the term. */
void rcp_encoding_explain_term(rcp_encoding *encoding, rcp_term term, uint32_t user);
void rcp_encoding_explain_source(rcp_encoding *encoding, uint32_t source);
void rcp_encoding_explain_end(rcp_encoding *encoding);

/* The contents of a byte that `source` left at a place. */
rcp_write_left rcp_encoding_byte(const rcp_encoding *encoding, const rcp_query_place *place, uint32_t source,
                                 uint64_t addr, uint8_t *value);
/* Does the slot, taking this source, deviate in the sense of docs/semantics.md? */
bool rcp_encoding_deviates(const rcp_encoding *encoding, uint32_t slot, uint32_t source);

#endif
