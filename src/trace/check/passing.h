/* SPDX-License-Identifier: Apache-2.0 */
/* Time as a schedule passes it: rule P3 of docs/semantics.md. An event that is with the time may come if nothing was
 * executed that was recorded after it and can't be before its own time; a stretch of time that began too late may end,
 * but nobody may know of it.
 *
 * Owns its map; borrows what was observed for each step.
 */
#ifndef RECIPE_TRACE_CHECK_PASSING_H
#define RECIPE_TRACE_CHECK_PASSING_H

#include "trace/check/execution.h"
#include "trace/check/observed.h"

typedef struct rcp_passing {
    uint32_t latest;    /* 1 + the last one, as recorded, of those executed that are not before their time; 0: none */
    uint32_t stretched; /* 1 + where a stretch of time began that lasted longer, and is over; 0: none */
    rcp_map late;       /* beginnings of such that are not over */
} rcp_passing;

void rcp_passing_init(rcp_passing *passing);
void rcp_passing_finish(rcp_passing *passing);
/* `passing`, not initialised, goes on from where `from` is. */
void rcp_passing_copy(rcp_passing *passing, const rcp_passing *from);
/* The event comes, if it may. */
bool rcp_passing_step(rcp_passing *passing, const rcp_observed *observed, rcp_eid eid, char why[RCP_REASON_ROOM]);

#endif
