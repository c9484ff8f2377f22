/* SPDX-License-Identifier: Apache-2.0 */
/* Of a run's messages (analysis/messages.h): is there an order of its events in which two of them could come the other
 * way round, and that is the beginning of no run that is known? The thread of the earlier one is held before its call,
 * and the other one makes its own: what it gets, and what becomes of it, is the program's. What the rules of prediction
 * keep nobody has broken by that: it is another run. Nothing is owned.
 */
#ifndef RECIPE_ANALYSIS_HUNT_ORDERS_H
#define RECIPE_ANALYSIS_HUNT_ORDERS_H

#include "analysis/hunt_work.h"
#include "predict/solve/ladder.h"

/* The run's trace is loaded, its groundwork laid. Of calls at the same places by the same threads `hunt-instances`. */
void rcp_hunt_orders_list(rcp_hunt_run *run);
/* The first time: once for each two calls that came the other way round in no run. Then all there is. */
rcp_code rcp_hunt_orders_ask(rcp_hunt_work *work, rcp_hunt_run *run, rcp_ladder *ladder, bool is_first) RCP_MUST_USE;

#endif
