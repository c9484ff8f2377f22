/* SPDX-License-Identifier: Apache-2.0 */
/* Is there an order of a run's events in which a thread decides otherwise, or all wait for good; and not in a run that
 * is known? What there is is carried out (analysis/hunt_leading.h). Nothing is owned.
 */
#ifndef RECIPE_ANALYSIS_HUNT_ASKING_H
#define RECIPE_ANALYSIS_HUNT_ASKING_H

#include "analysis/hunt_work.h"

/* The first time: whatever leads to a side that no run has gone to. Then all else. */
rcp_code rcp_hunt_visit(rcp_hunt_work *work, rcp_hunt_run *run) RCP_MUST_USE;

#endif
