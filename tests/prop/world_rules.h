/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of the oracle's rules share: world_sync.c has threads, synchronisation and objects' lives,
 * world_step.c memory, opaque code, values and races. One function per section of docs/semantics.md, named as it is
 * there: may event `e`, the next of its thread, be executed in this state?
 *
 * Invariant: a rule looks and changes nothing. World and state are borrowed for the call.
 */
#ifndef RECIPE_PROP_WORLD_RULES_H
#define RECIPE_PROP_WORLD_RULES_H

#include "prop/world.h"

static inline const rcp_event *rcp_world_event_at(const rcp_world *world, size_t i) {
    return &world->trace->events.at[i];
}

static inline bool rcp_world_executed(const rcp_world_state *state, size_t i) { return state->executed >> i & 1; }

/* Each executed event, by number. */
#define RCP_WORLD_EACH_EXECUTED(world, state, i)                                                                       \
    for (size_t i = 0; i < (world)->n; i++)                                                                            \
        if (rcp_world_executed(state, i))

bool rcp_world_threads(const rcp_world *world, const rcp_world_state *state, unsigned e);
bool rcp_world_synchronisation(const rcp_world *world, const rcp_world_state *state, unsigned e);
/* T1, T4 and T5 alone, as R1 asks for of a race's events. */
bool rcp_world_comes_next(const rcp_world *world, const rcp_world_state *state, unsigned e);

/* A deadlock, D1 and D2: does this ACQUIRE, or SEM_WAIT, wait for what thread `tid` has (and is that not destroyed, or
 * not made)? */
bool rcp_world_waits_for(const rcp_world *world, const rcp_world_state *state, unsigned e, size_t tid);

/* The threads that sleep on the condition and that a SIGNAL can choose, as the set of their WAITs. */
rcp_event_set rcp_world_sleepers(const rcp_world *world, const rcp_world_state *state, uint32_t cond);
/* Sets the generation of an ENTER in `state`, in which it has been executed. */
void rcp_world_join_generation(const rcp_world *world, rcp_world_state *state, unsigned e);

#endif
