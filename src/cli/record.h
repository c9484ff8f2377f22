/* SPDX-License-Identifier: Apache-2.0 */
/* What 'record' does, for 'run' too. */
#ifndef RECIPE_CLI_RECORD_H
#define RECIPE_CLI_RECORD_H

#include "cli/launch.h"
#include "cli/options.h"

typedef struct rcp_recorded {
    rcp_launch launch; /* how the program ended */
    char *directory;   /* the caller's; NULL: there is none */
    bool ran;
} rcp_recorded;

/* Runs and records the program that the arguments of 'record' name. `quietly`: where the recording is, is not said.
 * CLEAN unless recording failed, whatever the program's own end was. */
rcp_exit rcp_record_program(const rcp_arguments *arguments, bool quietly, rcp_recorded *recorded);

#endif
