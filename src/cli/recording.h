/* SPDX-License-Identifier: Apache-2.0 */
/* What 'record' does, for 'run' too: options read, the program recorded, what there is to say said. */
#ifndef RECIPE_CLI_RECORDING_H
#define RECIPE_CLI_RECORDING_H

#include "cli/options.h"
#include "record/record.h"

/* Runs and records the program that the arguments of 'record' name. `quietly`: where the recording is, is not said.
 * CLEAN unless recording failed, whatever the program's own end was. `record` is the caller's to finish. */
rcp_exit rcp_recording_run(const rcp_arguments *arguments, bool quietly, rcp_record *record);

#endif
