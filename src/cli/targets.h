/* SPDX-License-Identifier: Apache-2.0 */
/* What could turn out otherwise in a run: branches, compare-and-swaps, locks and semaphores that are tried, and, for
 * recipe+, addresses; and which runs are one, because every thread goes the same way in them.
 *
 * Invariant: an event is listed, or counted in the report, or nothing that another thread does changes how it goes. The
 * caller owns the list.
 */
#ifndef RECIPE_CLI_TARGETS_H
#define RECIPE_CLI_TARGETS_H

#include "cli/variants.h"
#include "predict/facts/run_facts.h"
#include "trace/store/reader.h"

typedef struct rcp_target {
    uint32_t event;
    uint32_t models; /* that let it turn */
} rcp_target;

typedef RCP_VEC(rcp_target) rcp_targets;

/* Of the recording in `directory`, whose trace the facts are of; *explorer is made where it is needed and NULL. */
rcp_code rcp_targets_list(const rcp_run_facts *facts, const rcp_forced *forced, const char *directory, uint32_t models,
                          rcp_explorer **explorer, rcp_targets *list, rcp_variants_report *report) RCP_MUST_USE;

/* Where an event is in the program, whatever its number in the trace. */
uint64_t rcp_targets_point(const rcp_defs *defs, const rcp_event *event);

/* The way of every thread, as a number: two runs that share it have the same events in each thread, but for values. */
rcp_code rcp_targets_ways(rcp_reader *reader, uint64_t *ways) RCP_MUST_USE;

#endif
