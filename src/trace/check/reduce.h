/* SPDX-License-Identifier: Apache-2.0 */
/* A witness that its reader can follow: only what the two accesses need, with few switches between threads.
 *
 * Greedy, and every attempt goes through the checker under the rule that accepted the witness: what is left is
 * accepted, whatever happens here. Attempts are counted in events that the checker executes, so the same witness is
 * reduced the same way on every machine.
 */
#ifndef RECIPE_TRACE_CHECK_REDUCE_H
#define RECIPE_TRACE_CHECK_REDUCE_H

#include "trace/check/checker.h"

/* `witness` is accepted under `options`, and ends with a race. `limit`: events for all attempts at it. */
rcp_code rcp_reduce_witness(const rcp_checker *checker, const rcp_trace *trace, rcp_check_options options,
                            uint64_t limit, rcp_witness *witness) RCP_MUST_USE;

#endif
