/* SPDX-License-Identifier: Apache-2.0 */
/* Where an event is in the program, whatever its number in a trace: to know places, pairs of places and the ways of
 * threads again in another run of the same program.
 *
 * Points are hashes of source locations; where one is unknown, the address stands for it. Nothing is owned.
 */
#ifndef RECIPE_ANALYSIS_POINTS_H
#define RECIPE_ANALYSIS_POINTS_H

#include "trace/model/defs.h"
#include "trace/model/event.h"
#include "trace/store/reader.h"

uint64_t rcp_point_of_location(const rcp_defs *defs, rcp_loc loc);
uint64_t rcp_point_of(const rcp_defs *defs, const rcp_event *event);

/* Both points of a pair, whichever comes first. */
uint64_t rcp_point_pair(const rcp_defs *defs, const rcp_event *a, const rcp_event *b);
/* The same of events of two runs. */
uint64_t rcp_point_pair_of(const rcp_defs *a_defs, const rcp_event *a, const rcp_defs *b_defs, const rcp_event *b);

/* The way of every thread, as a number: two runs that share it have the same events in each thread, but for values. */
rcp_code rcp_point_ways(rcp_reader *reader, uint64_t *ways) RCP_MUST_USE;

#endif
