/* SPDX-License-Identifier: Apache-2.0 */
/* What 'record' does, for 'run' too: options read, the program recorded, what there is to say said. */
#ifndef RECIPE_CLI_RECORDING_H
#define RECIPE_CLI_RECORDING_H

#include "cli/options.h"
#include "record/record.h"

typedef enum rcp_recording_what {
    RCP_RECORDING_PROGRAM, /* where the recording is, is said */
    RCP_RECORDING_COMMAND, /* it is not; and what was not built by recipe may start programs that were */
} rcp_recording_what;

/* Runs and records what the arguments of 'record' name. CLEAN unless recording failed, whatever the program's own end
 * was. `record` is the caller's to finish. */
rcp_exit rcp_recording_run(const rcp_arguments *arguments, rcp_recording_what what, rcp_record *record);

#endif
