/* SPDX-License-Identifier: Apache-2.0 */
/* One schedule for several races: on its way to the two accesses of one race it brings those of others together, too.
 *
 * A witness (trace/model/witness.h) may be carried out in any order that keeps every two events which depend on each
 * other as it has them: of one thread; of one object, lock or thread's end; accesses that share a byte, one of which
 * writes; calls outside as rules P1 and P2 have them (docs/semantics.md). All values are the same then, whichever order
 * it is. So for another race, x before y in the witness, it is asked whether all that y's thread does before y can come
 * before x: then right before x both are next. Each race that fits makes one order more that the next ones must keep,
 * and what results is one schedule, which ends where the witness does.
 *
 * Invariant: the tour executes the events that the witness executes, and no others. Owns its witness and its stops.
 */
#ifndef RECIPE_REPLAY_TOUR_H
#define RECIPE_REPLAY_TOUR_H

#include "results/race.h"
#include "trace/store/reader.h"

typedef struct rcp_tour_stop {
    size_t pair; /* of those that were asked for */
    size_t step; /* before this step of the tour's witness both of its accesses are next */
} rcp_tour_stop;

typedef struct rcp_tour {
    rcp_witness witness;
    RCP_VEC(rcp_tour_stop) stops; /* by step. None: the witness is the race's own */
} rcp_tour;

typedef struct rcp_tour_pair {
    rcp_eid event[2];
} rcp_tour_pair;

/* Of `pairs`, those that come first are taken first. `tour` is the caller's to finish, also where this fails. */
rcp_code rcp_tour_make(rcp_tour *tour, rcp_reader *reader, const rcp_race *race, const rcp_tour_pair *pairs,
                       size_t n) RCP_MUST_USE;
void rcp_tour_finish(rcp_tour *tour);

#endif
