/* SPDX-License-Identifier: Apache-2.0 */
/* What could turn out otherwise in a run: branches, compare-and-swaps, locks and semaphores that are tried, and, for
 * recipe+, addresses.
 *
 * Invariant: an event is listed, or counted, or nothing that another thread does changes how it goes. The
 * caller owns the list.
 */
#ifndef RECIPE_ANALYSIS_TARGETS_H
#define RECIPE_ANALYSIS_TARGETS_H

#include "analysis/subject.h"

typedef struct rcp_target {
    uint32_t event;
    uint32_t models; /* that let it turn */
    uint64_t place;  /* the same for every instance of it, in this run and in others */
} rcp_target;

/* A place of which enough instances are listed: how many are not. */
typedef struct rcp_target_rest {
    uint64_t place, instances;
} rcp_target_rest;

typedef struct rcp_targets {
    RCP_VEC(rcp_target) at;
    uint64_t branches; /* static ones whose conditions, or addresses, depend on reads that others write */
    RCP_VEC(rcp_target_rest) rest;
    uint64_t outcomes;       /* of calls, that could be others, and are not looked at */
    RCP_VEC(uint32_t) waits; /* calls that wait for others, and for as long as it takes: each of them, ascending */
} rcp_targets;

/* Of the run, whose groundwork is laid; its explorer is made where it is needed. Of a place so many `instances` are
 * listed. `both` gets the places that have two
 * ways, and that the run went both of: what comes of a further instance was looked at. */
rcp_code rcp_targets_list(rcp_subject *run, uint32_t models, uint64_t instances, rcp_targets *list,
                          rcp_map *both) RCP_MUST_USE;
void rcp_targets_finish(rcp_targets *list);

#endif
