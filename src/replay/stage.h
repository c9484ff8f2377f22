/* SPDX-License-Identifier: Apache-2.0 */
/* Runs a recorded program once more, led along a plan to both accesses of a race; or steered (runtime/steer.h), so that
 * threads meet at watched places.
 *
 * The program is started as it was recorded: arguments, environment, directory, input. What it prints goes to files.
 * Its runtime follows the plan and tells how far it has come in a file that both have mapped (abi/run.h). Whatever it
 * does, it is over after a time: then it is killed, with all processes that it started.
 *
 * Of a process that a command started, either its program is started by itself, or the whole command: then the process
 * that is meant follows the plan, and all others run free.
 *
 * A performance owns its directory, which rcp_performance_finish() removes, and its texts.
 */
#ifndef RECIPE_REPLAY_STAGE_H
#define RECIPE_REPLAY_STAGE_H

#include "record/command.h"
#include "record/family.h"
#include "replay/feeding.h"
#include "replay/plan.h"

#include <stdbool.h>
#include <sys/types.h>

/* What a run watches that is steered. */
typedef struct rcp_stage_steering {
    const struct rcp_run_place *watched; /* ascending, none of which overlap */
    size_t n;
    uint64_t seed;       /* of who runs when; 0: each in turn */
    uint32_t patience;   /* milliseconds that those who are held wait for others to come back; 0: a moment */
    const uint64_t *met; /* places in the code at which threads have met before */
    size_t n_met;
} rcp_stage_steering;

typedef struct rcp_performance {
    char *directory;
    struct rcp_run_outcome outcome;
    RCP_VEC(struct rcp_run_seen) seen; /* of the plan's sides; of a steered run, whatever was met */
    int status;                        /* as waitpid(2) has it */
    bool was_late;                     /* it was killed at the limit */
    double seconds;                    /* wall clock */
    rcp_text output, errors;           /* what it printed */
    char *log;                         /* the directory that the one that follows has recorded to */
    pid_t pid;                         /* of one that is paused: it runs still */
} rcp_performance;

typedef struct rcp_staging {
    const char *recorded;                /* the recorded directory */
    const rcp_recorded_command *command; /* what is started */
    const rcp_meant *meant; /* who of it follows; NULL: the program itself, which no other recorded program started */
    bool is_whole;          /* `command` is the whole one; else it is the program that was executed */
    const rcp_plan *plan;   /* NULL: it is steered */
    const rcp_stage_steering *steering;
    bool is_guess; /* the plan is a guess: nothing is fed, as in one that is steered, and no wait is cut short; */
    uint32_t
        patience; /* milliseconds that it waits for a thread that is not there, or guess-patience, if that is more */
    bool prints_to_nobody; /* to /dev/null; else to files, and what came there is in the performance */
    const rcp_feeding *feeding;
    unsigned first; /* which access comes first: 0 or 1 */
    bool pause;     /* where both are next, everything stands still; returns then */
    double limit;   /* seconds; 0: none */
    int end_signal; /* by which somebody ended the recorded run; it is sent again a second after the race; 0: none */
} rcp_staging;

/* Seconds for one run, where `asked` does not say how many: twice what recording took, by far more on a busy machine;
 * and nobody wants to wait for ever. */
double rcp_stage_limit(double asked, const char *directory);
/* `performance` is the caller's to finish, also where this fails. */
rcp_code rcp_stage_perform(const rcp_staging *staging, rcp_performance *performance) RCP_MUST_USE;
/* What performances have left in the recorded directory whose process was killed. Nobody else is at work there. */
void rcp_stage_remove_left(const char *recorded);
/* Ends it where it is paused. */
void rcp_performance_finish(rcp_performance *performance);

#endif
