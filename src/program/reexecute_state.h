/* SPDX-License-Identifier: Apache-2.0 */
/* Between reexecute.c, which follows the log, and events.c, which takes its records where an event wants them. */
#ifndef RECIPE_PROGRAM_REEXECUTE_STATE_H
#define RECIPE_PROGRAM_REEXECUTE_STATE_H

#include "program/machine.h"

/* Reads the next record, and says up to where the current strand may run without looking at it. */
rcp_code rcp_machine_advance(rcp_machine *machine) RCP_MUST_USE;

#endif
