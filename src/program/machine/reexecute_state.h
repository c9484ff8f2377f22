/* SPDX-License-Identifier: Apache-2.0 */
/* Between reexecute.c, which follows the log, events.c, which takes its records where an event wants them, and the
 * concrete checker, whose threads follow their own records by the same rules. */
#ifndef RECIPE_PROGRAM_MACHINE_REEXECUTE_STATE_H
#define RECIPE_PROGRAM_MACHINE_REEXECUTE_STATE_H

#include "program/machine/machine.h"
#include "program/machine/reexecute.h"
#include "program/telling/telling.h"
#include "program/recording/turns.h"

typedef struct rcp_run {
    rcp_machine m;
    rcp_program program;
    rcp_space space;
    rcp_image_file *image;
    rcp_values values;
    rcp_turns turns;
    rcp_telling telling;
    rcp_opaque_file opaque; /* what the user says of functions */
    rcp_reexecution *result;
    bool has_ended; /* EXIT was there */
    struct rcp_checkpoints *checkpoints;
    uint64_t executed, turn_begin; /* events of all earlier turns; the current strand's position when its turn began */
    uint64_t told_max;             /* the trace ends when it has this many events */
} rcp_run;

/* Reads the next record, and says up to where the current strand may run without looking at it. */
rcp_code rcp_machine_advance(rcp_machine *machine) RCP_MUST_USE;

/* Follows one record that no event has taken; there is one. */
rcp_code rcp_run_follow(rcp_run *run) RCP_MUST_USE;
/* The thread's strand, made if need be. */
rcp_strand *rcp_run_strand(rcp_run *run, uint32_t thread);

#endif
