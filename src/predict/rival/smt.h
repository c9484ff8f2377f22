/* SPDX-License-Identifier: Apache-2.0 */
/* A query the papers' way, as one SMT formula (seed 003 §3 to §5; seed 000 §III for relaxed values): an integer per
 * event for its place in a schedule, a disjunction per read over the writes that it may take, exclusion of critical
 * sections, one signal per waiter, values as bit-vectors and floats. The formula is satisfiable if and only if the
 * query's answer is 'race', but for what `approximate` says.
 *
 * It is the rival of the project's own solver: a second opinion in tests, the other column in the bench, and what other
 * solvers can be given. Everything of docs/semantics.md is in it.
 *
 * Two ways to use it. One query at a time: the cone is cut at the two accesses, and all that must happen before them is
 * executed for sure. Or incrementally, as in seed 003 §5: one formula for all linearisations of the trace, to which the
 * race of one pair at a time is added and taken back.
 *
 * Ownership: an encoding owns its formulas and borrows the facts.
 */
#ifndef RECIPE_PREDICT_RIVAL_SMT_H
#define RECIPE_PREDICT_RIVAL_SMT_H

#include "base/text.h"
#include "predict/rival/smt_facts.h"
#include "predict/rival/formula.h"
#include "results/race.h"

typedef struct rcp_smt rcp_smt;

/* Can the two race, if of each thread no more than upto[] events are executed? Of the two threads that is up to the
 * two. Where all other threads may run to their ends, 'no' is an answer about the trace. Borrows upto[]. */
typedef struct rcp_smt_query {
    rcp_eid race[2];
    rcp_model model;       /* RCP_MODEL_MC, RV or RECIPE_S */
    bool spurious_wakeups; /* C6 */
    const rcp_position *upto;
} rcp_smt_query;

/* The query's formula, the race included. NULL where it has more than `limit` subformulas, or more events than the
 * limit z3-events: long before, no solver gets anywhere. */
rcp_smt *rcp_smt_create(const rcp_smt_facts *facts, const rcp_smt_query *query, size_t limit);
/* All linearisations of the trace under the model, without a race. */
rcp_smt *rcp_smt_create_all(const rcp_smt_facts *facts, rcp_model model, bool spurious_wakeups, size_t limit);
void rcp_smt_destroy(rcp_smt *smt);

/* For what rcp_smt_create_all() made: asserts the race of the pair, after all that is asserted. Returns the number of
 * the first new assertion; the caller takes them back with rcp_smt_forget(). */
size_t rcp_smt_assert_race(rcp_smt *smt, const rcp_eid race[2]);
void rcp_smt_forget(rcp_smt *smt, size_t first);

const rcp_formulas *rcp_smt_borrow(const rcp_smt *smt);
/* Is 'satisfiable' only a maybe (a float remainder, the bits of a NaN)? 'Unsatisfiable' always holds. */
bool rcp_smt_is_approximate(const rcp_smt *smt);

/* The name of the event's integer; false where it has none. And of the moment of the race. */
bool rcp_smt_place(const rcp_smt *smt, rcp_eid eid, char name[32]);
#define RCP_SMT_RACE "race"

/* A whole SMT-LIB file: what is asked, the formula, check-sat. */
void rcp_smt_print(rcp_text *out, rcp_smt *smt, const rcp_smt_query *query);

#endif
