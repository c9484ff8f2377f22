/* SPDX-License-Identifier: Apache-2.0 */
/* A re-execution on its way: the machine, what it was loaded from, and how a record of the log is followed.
 *
 * Whoever leads (client.h) follows records one after the other, in the log's order or in another one: each does to its
 * thread what it did when it was recorded, or is refused where it does not fit.
 *
 * Ownership: the run owns what it was loaded from, and the machine that points there; `result` is borrowed. A copy of a
 * run shares all of that.
 */
#ifndef RECIPE_PROGRAM_MACHINE_RUN_H
#define RECIPE_PROGRAM_MACHINE_RUN_H

#include "program/machine/machine.h"
#include "program/recording/turns.h"

/* Where a re-execution ended, or is to end, before the log does: before the record that begins at `byte` (its `at`),
 * the thread that has the baton before its event at `position`. What comes before is an execution of its own. */
typedef struct rcp_cut {
    uint64_t byte; /* 0: nowhere, it goes to the log's end */
    uint64_t position;
} rcp_cut;

typedef struct rcp_reexecution {
    uint64_t threads, events, callbacks, outside, misses, switches;
    uint64_t log_bytes, log_length; /* consumed, and there */
    uint64_t compared;              /* events that were compared with --log-values */
    bool has_values;
    double seconds; /* of executing it, */
    double loading; /* of having its code before that */
    rcp_cut cut;    /* the time was over there (rcp_purpose.may_be_cut) */
    double share;   /* of the run that was executed: rcp_machine_share() */
    uint64_t pages; /* of memory, 64 KiB each */
    bool is_narrow; /* rcp_program_is_narrow(), of all that was loaded */
    /* With `count`: executed instructions, and events by kind. */
    uint64_t instructions, loads, stores, atomics, fences, branches, ticks, copies, fills, calls;
} rcp_reexecution;

typedef struct rcp_run {
    rcp_machine m;
    rcp_program program;
    rcp_space space;
    rcp_image_file *image;
    rcp_values values;
    rcp_turns turns;
    rcp_reexecution *result;
    bool has_ended;                /* EXIT was there */
    uint64_t executed, turn_begin; /* events of all earlier turns; the current strand's position when its turn began */
} rcp_run;

/* Takes over a part of the image: its functions, and what memory held. */
rcp_code rcp_run_add_part(rcp_run *run, uint64_t number) RCP_MUST_USE;

/* The first record is at hand, and its thread the current one. */
rcp_code rcp_run_begin(rcp_run *run) RCP_MUST_USE;
/* Follows one record that no event has taken; there is one, or the current strand was stopped and goes on. */
rcp_code rcp_run_follow(rcp_run *run) RCP_MUST_USE;
/* From the beginning to the log's end. */
rcp_code rcp_run_follow_log(rcp_run *run) RCP_MUST_USE;
static inline bool rcp_run_is_over(const rcp_run *run) { return run->m.record.tag == RCP_LOG_END; }

/* The thread's strand, made if need be. */
rcp_strand *rcp_run_strand(rcp_run *run, uint32_t thread);
/* Events of all threads, as abi/position.h counts them. */
static inline uint64_t rcp_run_executed(const rcp_run *run) {
    return run->executed + run->m.current->position - run->turn_begin;
}

#endif
