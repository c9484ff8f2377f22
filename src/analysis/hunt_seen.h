/* SPDX-License-Identifier: Apache-2.0 */
/* Which classes of runs were seen, and where they went: of each place that threads decide at, which ways some run has
 * gone there. It is put together from the runs of a hunt's state, and not kept with them. Owns its maps.
 */
#ifndef RECIPE_ANALYSIS_HUNT_SEEN_H
#define RECIPE_ANALYSIS_HUNT_SEEN_H

#include "analysis/hunt_state.h"

typedef struct rcp_hunt_seen {
    rcp_map classes; /* by their numbers */
    rcp_map gone;    /* places with the ways that a run has gone there */
    rcp_map ways_of; /* places -> how many these are */
    rcp_map twofold; /* places of turns, which have two sides each */
    rcp_map orders;  /* of messages: who made which call before whom did which */
} rcp_hunt_seen;

void rcp_hunt_seen_init(rcp_hunt_seen *seen);
void rcp_hunt_seen_finish(rcp_hunt_seen *seen);

bool rcp_hunt_seen_has(const rcp_hunt_seen *seen, const rcp_decisions *decisions);
void rcp_hunt_seen_note(rcp_hunt_seen *seen, const rcp_hunt_run *run);
/* Its turns, where they are listed. */
void rcp_hunt_seen_note_turns(rcp_hunt_seen *seen, const rcp_hunt_run *run);

/* Would the turn lead to a side that no run has gone to, as far as that can be said? `side`: what its thread decided in
 * the run that it is of. */
bool rcp_hunt_seen_is_fresh(const rcp_hunt_seen *seen, const rcp_hunt_turn *turn, uint64_t side);
/* Is there no run in which these two calls came the other way round? */
bool rcp_hunt_seen_is_new_order(const rcp_hunt_seen *seen, const rcp_hunt_overtaking *overtaking);
/* Sides of the branches that depend on others, and of what else has two ways, to which some run has gone; and of how
 * many. */
uint64_t rcp_hunt_seen_sides(const rcp_hunt_seen *seen, uint64_t *all);

#endif
