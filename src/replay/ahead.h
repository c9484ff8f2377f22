/* SPDX-License-Identifier: Apache-2.0 */
/* A run of the program (replay/stage.h) that is made while this process does something else: a copy of it makes the
 * run, and hands over what came of it. So a server whose clients take their time is run while what it showed before is
 * judged.
 *
 * What was begun is taken, or ended. The staging, and all that it points to, is needed until then.
 */
#ifndef RECIPE_REPLAY_AHEAD_H
#define RECIPE_REPLAY_AHEAD_H

#include "base/process.h"
#include "replay/stage.h"

typedef struct rcp_ahead {
    rcp_process_copy copy;
    bool is_begun;
} rcp_ahead;

rcp_code rcp_ahead_begin(rcp_ahead *ahead, const rcp_staging *staging) RCP_MUST_USE;
/* As rcp_stage_perform() has it, but for what the program printed; waits until the run is over. */
rcp_code rcp_ahead_take(rcp_ahead *ahead, rcp_performance *performance) RCP_MUST_USE;
void rcp_ahead_end(rcp_ahead *ahead);

#endif
