/* SPDX-License-Identifier: Apache-2.0 */
/* The end of the time that there is, by the clock on the wall: one for the process, and for those that it forks.
 *
 * Whoever leads an analysis sets it (analysis/budget.h); whatever may take long asks, every so often, and then ends
 * early: with a part of its answer, which is said to be one, or with RCP_LIMIT. Where no budget is given there is no
 * end, and nothing hangs on the clock. Nothing is owned.
 */
#ifndef RECIPE_BASE_DEADLINE_H
#define RECIPE_BASE_DEADLINE_H

#include "base/clock.h"
#include "base/status.h"

#include <stdbool.h>
#include <stdint.h>

/* Of rcp_seconds_now(); 0: none. Returns what it was. */
double rcp_deadline_set(double end);
double rcp_deadline(void);
bool rcp_deadline_is_over(void);
/* The same for loops: asks the clock at one of 4096 steps. */
static inline bool rcp_deadline_is_over_at(uint64_t step) { return !(step & 4095) && rcp_deadline_is_over(); }
/* RCP_LIMIT: "the time was over before WHAT". */
rcp_code rcp_deadline_fail(const char *what) RCP_MUST_USE;

#endif
