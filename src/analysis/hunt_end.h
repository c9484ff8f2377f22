/* SPDX-License-Identifier: Apache-2.0 */
/* How a run of the program ended that should not end so: by a signal that nobody sent, or with every thread waiting for
 * another. Nothing is owned. */
#ifndef RECIPE_ANALYSIS_HUNT_END_H
#define RECIPE_ANALYSIS_HUNT_END_H

#include "replay/stage.h"
#include "results/statistics.h"

/* The signal by which the run ended, and should not have; 0: none. `usual`: by which the recorded one did; `asked`: by
 * which somebody ended that. */
int rcp_hunt_end_signal(const rcp_performance *performance, int usual, int asked);
/* As what it is reported, and what is said of it; RCP_STATISTICS: it ended as it should. `signal` as above. */
rcp_statistic_id rcp_hunt_end_describe(const rcp_performance *performance, int signal, rcp_text *to);
/* The same for what was said of two ends of one kind, whatever numbers are in it: ids of processes and addresses are
 * others each time. */
uint64_t rcp_hunt_end_shape(const char *end);

#endif
