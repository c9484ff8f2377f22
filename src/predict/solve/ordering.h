/* SPDX-License-Identifier: Apache-2.0 */
/* The ordering solver: a small CDCL solver whose atoms are 'node x comes before node y' and free choices, with 'the
 * order has no cycle' as its theory (predict/facts/acyclic.h).
 *
 * It is used lazily. rcp_ordering_solve() finds a total order of the nodes that satisfies the clauses so far; the user
 * looks at the order, adds a clause that it violates, and solves again. So an atom exists only once a clause needs it,
 * and the order starts as the one that was given and is changed only where a clause asks for it. For the same reason
 * only clauses that the order at hand breaks are decided on: an atom that is as it should be is left open.
 *
 * Literals: 2 * variable + (1: negated). Variable 0 is 'true'.
 *
 * Invariant: deterministic; time is counted in steps, not seconds. The solver owns everything.
 */
#ifndef RECIPE_PREDICT_SOLVE_ORDERING_H
#define RECIPE_PREDICT_SOLVE_ORDERING_H

#include "predict/facts/acyclic.h"

typedef uint32_t rcp_lit;

#define RCP_LIT_TRUE  ((rcp_lit)0)
#define RCP_LIT_FALSE ((rcp_lit)1)

static inline rcp_lit rcp_lit_not(rcp_lit lit) { return lit ^ 1; }

typedef enum rcp_ordering_answer {
    RCP_ORDERING_FOUND,
    RCP_ORDERING_NONE, /* no order satisfies the clauses */
    RCP_ORDERING_LIMIT,
} rcp_ordering_answer;

typedef struct rcp_ordering rcp_ordering;

/* As rcp_acyclic_init(). */
rcp_ordering *rcp_ordering_create(uint32_t n, const rcp_edge *edges, size_t n_edges, const uint32_t *initial);
void rcp_ordering_destroy(rcp_ordering *order);

/* 'x comes before y'; where neither value is forced, `likely` is tried first. */
rcp_lit rcp_ordering_before(rcp_ordering *order, uint32_t x, uint32_t y, bool likely);
/* A new variable that the theory knows nothing of. */
rcp_lit rcp_ordering_choice(rcp_ordering *order, bool likely);
/* One that is false unless clauses make it true. */
rcp_lit rcp_ordering_consequence(rcp_ordering *order);
/* One of the literals must hold. May undo part of the assignment; the order stays as it is until the next solve. */
void rcp_ordering_clause(rcp_ordering *order, const rcp_lit *lits, size_t n);
/* Takes what it uses from *steps; RCP_ORDERING_LIMIT where that is not enough. */
rcp_ordering_answer rcp_ordering_solve(rcp_ordering *order, uint64_t *steps);

/* After RCP_ORDERING_FOUND, and until the next clause: what the order says of an atom, and what a choice was last. */
bool rcp_ordering_holds(const rcp_ordering *order, rcp_lit lit);
/* Where a node is in the order: 0 is first. And who is there. */
const uint32_t *rcp_ordering_borrow_ranks(const rcp_ordering *order);
const uint32_t *rcp_ordering_borrow_nodes(const rcp_ordering *order);

typedef struct rcp_ordering_stats {
    uint64_t variables, clauses, conflicts, decisions, steps;
} rcp_ordering_stats;
rcp_ordering_stats rcp_ordering_statistics(const rcp_ordering *order);

#endif
