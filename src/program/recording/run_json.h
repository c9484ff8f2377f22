/* SPDX-License-Identifier: Apache-2.0 */
/* run.json of a recorded directory, read: how a program was run, for whoever reports, counts or replays it.
 *
 * The directories of a program's further processes have none; then `all` is NULL, and whoever asks for a member gets
 * none. The value's strings are the object's own.
 */
#ifndef RECIPE_PROGRAM_RECORDING_RUN_JSON_H
#define RECIPE_PROGRAM_RECORDING_RUN_JSON_H

#include "base/json.h"

typedef struct rcp_run_json {
    const rcp_json *all; /* docs/recording.md has its keys */
    rcp_text text;
    rcp_arena arena;
} rcp_run_json;

/* Whatever it returns, rcp_run_json_finish() must follow. */
rcp_code rcp_run_json_read(const char *directory, rcp_run_json *run) RCP_MUST_USE;
void rcp_run_json_finish(rcp_run_json *run);

#endif
