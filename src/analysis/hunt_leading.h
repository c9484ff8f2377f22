/* SPDX-License-Identifier: Apache-2.0 */
/* A run of the program along an order that leads to where a thread of a run decides otherwise, or to where all of them
 * wait for good: made, told, and taken. What is borrowed is the hunt's (analysis/hunt_work.h).
 *
 * Invariant: an end that is reported came twice along the same order.
 */
#ifndef RECIPE_ANALYSIS_HUNT_LEADING_H
#define RECIPE_ANALYSIS_HUNT_LEADING_H

#include "analysis/halts.h"
#include "analysis/hunt_work.h"

/* Milliseconds: whoever sleeps comes back within about as long as the recorded run was. */
uint32_t rcp_hunt_patience(const rcp_hunt_work *work);
/* Along the witness of `race`, which ends before its events. *came: to what it was to come to, in a class that is new;
 * or it ended there. A run that was ended before its end is none. */
rcp_code rcp_hunt_carry_out(rcp_hunt_work *work, rcp_hunt_goal *aim, rcp_race *race, bool *came) RCP_MUST_USE;
/* What it executes, another run has executed, too: it is no class of its own. */
rcp_code rcp_hunt_carry_out_halt(rcp_hunt_work *work, rcp_hunt_run *from, const rcp_halt *halt,
                                 rcp_race *race) RCP_MUST_USE;

#endif
