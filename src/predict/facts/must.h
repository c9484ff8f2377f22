/* SPDX-License-Identifier: Apache-2.0 */
/* Must-happen-before: the order that every feasible execution has, whatever the values: program order, fork, join,
 * once, initialisation, opaque code; a signal, a post or the arrivals at a barrier where nothing else in the trace
 * could have served; and what the caller knows of values (a write that nothing could stand in for: forced.h).
 * Streaming, a clock per thread, whose growth is remembered.
 *
 * Locks are not in it: their order is a choice. Other edges that some executions must have may be missing; what it says
 * holds. Owns its clocks; borrows the facts.
 */
#ifndef RECIPE_PREDICT_FACTS_MUST_H
#define RECIPE_PREDICT_FACTS_MUST_H

#include "predict/facts/acyclic.h"
#include "predict/facts/run_facts.h"

typedef struct rcp_must rcp_must;

/* `forced`: edges between events of different threads, by `to`, ascending; NULL: none. Borrowed. With
 * `spurious_wakeups` no WAKE needs a call. `without_opaque`: what the order would be, were opaque code known not to act
 * on anybody; it says what that costs, and nothing about executions. (What values force with its help they force still:
 * without `forced` it is the least that can be said.) */
rcp_must *rcp_must_create(const rcp_run_facts *facts, const rcp_edge_list *forced, bool spurious_wakeups,
                          bool without_opaque);
void rcp_must_destroy(rcp_must *must);
/* Every event, in the recorded order. */
void rcp_must_add(rcp_must *must, uint32_t event);
/* Of any two that were added: must `a` come before `b`? */
bool rcp_must_order(const rcp_must *must, uint32_t a, uint32_t b);
/* Of two of different threads, where that is so: *from and *to are the events whose edge says it, of a's thread and
 * b's. Of several, the one that comes last in a's thread. */
void rcp_must_explain(const rcp_must *must, uint32_t a, uint32_t b, uint32_t *from, uint32_t *to);
/* How many events of another thread must come before this one. */
rcp_position rcp_must_before_event(const rcp_must *must, uint32_t event, uint32_t tid);
/* One more to know of: from `position` of thread `tid` on, `event` comes before. No later position was spoken of. */
void rcp_must_learn(rcp_must *must, uint32_t event, uint32_t tid, rcp_position position);

#endif
