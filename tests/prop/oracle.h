/* SPDX-License-Identifier: Apache-2.0 */
/* The oracle: which schedules of a small trace are feasible and which pairs race, by exploring every one of them.
 *
 * The rules are prop/world.h's. Exploration visits every state that a feasible schedule can lead to, once; a pair races
 * if it does in one of them.
 *
 * Invariant: after rcp_oracle_explore() returned true, what rcp_oracle_races() says is exact under the chosen value
 * rule. The oracle borrows the trace and owns the rest.
 */
#ifndef RECIPE_PROP_ORACLE_H
#define RECIPE_PROP_ORACLE_H

#include "trace/check/checker.h"
#include "trace/model/trace.h"
#include "trace/model/witness.h"

typedef struct rcp_oracle rcp_oracle;

/* `trace` is indexed and has at most 64 events. */
rcp_oracle *rcp_oracle_create(const rcp_trace *trace, rcp_value_rule values, bool spurious);
void rcp_oracle_destroy(rcp_oracle *oracle);

/* Is the schedule feasible, and if it claims a race, is that one? Every choice at every SIGNAL is followed. */
bool rcp_oracle_feasible(rcp_oracle *oracle, const rcp_witness *witness);

/* Visits every state; false if there are more than `limit`. */
bool rcp_oracle_explore(rcp_oracle *oracle, size_t limit);

/* Is there a feasible schedule that is so arranged? Visits the states of those alone that may become so; *within: false
 * if there are more than `limit`, and then it is not known. Nothing is to be explored before, or after. */
bool rcp_oracle_arranges(rcp_oracle *oracle, const rcp_arrangement *arranged, size_t limit, bool *within);

/* These need an exploration before. */
size_t rcp_oracle_states(const rcp_oracle *oracle);
bool rcp_oracle_races(const rcp_oracle *oracle, rcp_eid a, rcp_eid b);
/* Are these events a deadlock in that state? */
bool rcp_oracle_deadlocks_at(rcp_oracle *oracle, size_t state, const unsigned *events, size_t n);
/* Is there a state in which these events are a deadlock? Looks through all of them. *state: the first one. */
bool rcp_oracle_deadlocks(rcp_oracle *oracle, const unsigned *events, size_t n, size_t *state);
/* What has been executed in that state, a bit each; and of these the WAITs that a signal has ended. */
uint64_t rcp_oracle_executed(const rcp_oracle *oracle, size_t state, uint64_t *woken);
/* A schedule that ends where the two race, with that race; they must race. `witness` is initialised and empty. */
void rcp_oracle_witness(const rcp_oracle *oracle, rcp_eid a, rcp_eid b, rcp_witness *witness);
/* A schedule that leads to the i-th state. */
void rcp_oracle_schedule(const rcp_oracle *oracle, size_t i, rcp_witness *witness);

#endif
