/* SPDX-License-Identifier: Apache-2.0 */
/* The last resort for a small pair: every schedule of the events before two accesses, up to what can be told apart,
 * with the checker (trace/check/checker.h) as the judge of each step. Finds a witness, or that there is none; gives up
 * at a number of steps.
 *
 * A schedule that the checker refuses has no continuation that it accepts: with more executed, more reads are causal,
 * never fewer. Two schedules of the same events in which every object, and every granule of memory, saw the same events
 * in the same order (reads between two writes in any) can be continued alike, so one of them is enough.
 */
#ifndef RECIPE_ORDER_PROOF_SEARCH_H
#define RECIPE_ORDER_PROOF_SEARCH_H

#include "trace/check/checker.h"

typedef enum rcp_found { RCP_FOUND, RCP_NOT_THERE, RCP_GAVE_UP } rcp_found;

/* `steps` is how many the checker may be asked for; `work` counts events that it executed. `witness` is initialised and
 * empty; where found, it holds the race. */
rcp_code rcp_search_schedules(const rcp_trace *trace, const rcp_checker *checker, rcp_eid earlier, rcp_eid later,
                              uint64_t steps, uint64_t *work, rcp_witness *witness, rcp_found *found) RCP_MUST_USE;

#endif
