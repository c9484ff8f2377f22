/* SPDX-License-Identifier: Apache-2.0 */
/* What `recipe record` itself writes into a recorded directory (abi/run.h): config, command, inputs, run.json,
 * modules/.
 *
 * run.json is there before the program starts, with "ended" null, and again when it has ended: a directory whose
 * recorder was killed is complete but for that. The bitcode of the program is saved before it runs (it may be rebuilt
 * meanwhile), that of its libraries afterwards, when the image says which they were.
 *
 * The run borrows everything but its notes, directory and files.
 */
#ifndef RECIPE_RECORD_RECORDED_RUN_H
#define RECIPE_RECORD_RECORDED_RUN_H

#include "abi/hooks.h"
#include "abi/log.h"
#include "abi/run.h"
#include "base/text.h"
#include "base/vec.h"
#include "record/launch.h"
#include "program/recording/schedule.h"

#include <sys/resource.h>
#include <time.h>

typedef struct rcp_recorded_run {
    struct rcp_run_config config;
    const rcp_schedule *schedule;
    const char *schedule_source; /* of --schedule=file: what was given; else NULL */
    char **command;
    int words;
    char **clients;      /* then NULL; NULL: none */
    const char *program; /* the file that is executed */
    const char *through; /* by this emulator; NULL: by none */
    char *directory;     /* as the user sees it */
    char *absolute;
    rcp_text input; /* what its standard input is: record/command.h */
    bool ended;     /* launch has the program's status */
    const rcp_launch *launch;
    struct timespec started, finished;
    struct rusage usage;
    struct rcp_log_header log; /* of the program itself, once it has ended */
    uint64_t log_bytes;
    unsigned processes;    /* that were recorded */
    RCP_VEC(char *) notes; /* for people: what could not be recorded */
} rcp_recorded_run;

extern const char *const rcp_policy_names[]; /* by enum rcp_policy_kind */
enum { RCP_POLICIES = RCP_POLICY_FILE + 1 };

/* Makes the directory: `wanted`, which must not be there, or the first of BASE.recipe, BASE.recipe.1 … that is not. */
rcp_code rcp_recorded_run_make(rcp_recorded_run *run, const char *wanted) RCP_MUST_USE;
/* config, command, run.json and the program's modules. */
rcp_code rcp_recorded_run_begin(rcp_recorded_run *run) RCP_MUST_USE;
/* The modules of its libraries and of its other processes, their notes, run.json. RCP_BAD_INPUT: nothing was recorded;
 * then the directory is gone. */
rcp_code rcp_recorded_run_end(rcp_recorded_run *run) RCP_MUST_USE;
/* Removes what begin and make made: nothing ran. */
void rcp_recorded_run_discard(rcp_recorded_run *run);
void rcp_recorded_run_finish(rcp_recorded_run *run);

void rcp_recorded_run_note(rcp_recorded_run *run, const char *format, ...) RCP_PRINTF(2, 3);

#endif
