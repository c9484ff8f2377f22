/* SPDX-License-Identifier: Apache-2.0 */
/* A recorded run of a small program, walked along: every event that the trace tells must be the next operation of its
 * thread, at that line, with that value. So each recorded run tests the operations, the recorder and the re-execution
 * against each other, and says on which way each thread went.
 *
 * Accesses to memory that only one thread touched, or nobody wrote, are not told: a thread makes them as it goes on.
 */
#ifndef RECIPE_PROP_SMALL_WALK_H
#define RECIPE_PROP_SMALL_WALK_H

#include "base/status.h"
#include "prop/small/explore.h"
#include "trace/model/trace.h"

/* `path` and `last` are filled as far as it got. Fails at the first event that does not fit. */
rcp_code rcp_small_walk(const rcp_small_program *program, const rcp_trace *trace, rcp_small_path *path,
                        rcp_small_state *last) RCP_MUST_USE;

#endif
