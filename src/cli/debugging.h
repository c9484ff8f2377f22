/* SPDX-License-Identifier: Apache-2.0 */
/* A program that a replay has led to both accesses of a race, where it stands still (rcp_replay_options.pause), under
 * gdb. Nothing is owned; whoever has the replay ends the program. */
#ifndef RECIPE_CLI_DEBUGGING_H
#define RECIPE_CLI_DEBUGGING_H

#include "cli/exit_codes.h"
#include "replay/replay.h"
#include "report/finding.h"

/* gdb takes the terminal over. CLEAN: it was there, and ended well. */
rcp_exit rcp_debugging_run(const rcp_finding *finding, const rcp_replay *replay);
/* FILE has what gdb is to do, for `gdb -x FILE` somewhere else, as long as the program is there: until gdb ends it, or
 * somebody interrupts us. */
rcp_code rcp_debugging_wait(const rcp_finding *finding, rcp_replay *replay, const char *path) RCP_MUST_USE;

#endif
