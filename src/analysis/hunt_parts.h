/* SPDX-License-Identifier: Apache-2.0 */
/* What an order of a run's events must have, so that it is the beginning of no run that is known: of each such run one
 * of the events that it does not have (rcp_ladder_want()). Owns its lists; of nothing else.
 */
#ifndef RECIPE_ANALYSIS_HUNT_PARTS_H
#define RECIPE_ANALYSIS_HUNT_PARTS_H

#include "analysis/hunt_work.h"
#include "predict/solve/slice.h"

typedef struct rcp_hunt_parts {
    rcp_decisions_events events;
    RCP_VEC(size_t) ends; /* in these, of each run */
    RCP_VEC(rcp_slice_wanted) wanted;
} rcp_hunt_parts;

/* One more run that is known; `but`: a thread of `from` that does not count; `is_late`: events of `from` that can't be
 * executed in such an order, NULL: there are none. False: the run has all there is. */
typedef bool rcp_hunt_parts_late(const void *context, uint32_t event);
bool rcp_hunt_parts_add(rcp_hunt_parts *parts, const rcp_hunt_run *from, uint32_t but, const rcp_hunt_run *known,
                        rcp_hunt_parts_late *is_late, const void *context);
/* That event is executed in any case. */
void rcp_hunt_parts_need(rcp_hunt_parts *parts, uint32_t event);
/* Of all that were added: `wanted`. */
void rcp_hunt_parts_close(rcp_hunt_parts *parts);
void rcp_hunt_parts_finish(rcp_hunt_parts *parts);

#endif
