/* SPDX-License-Identifier: Apache-2.0 */
/* The concrete checker for whoever has a witness of a recorded run (program/concrete/concrete.h).
 *
 * The run is executed again once, with checkpoints on the way (program/telling/checkpoints.h). Each question goes to
 * the checkpoint before the witness's first change, a copy of which goes on and answers; so a verdict costs the stretch
 * that changes, and what lies between it and the checkpoint, not the run.
 *
 * The judge owns its checkpoints and borrows the trace, which must be indexed and stay as it is.
 */
#ifndef RECIPE_PROGRAM_CONCRETE_JUDGE_H
#define RECIPE_PROGRAM_CONCRETE_JUDGE_H

#include "base/status.h"
#include "base/vec.h"
#include "trace/model/trace.h"
#include "trace/model/witness.h"

typedef enum rcp_judged {
    RCP_JUDGED_FEASIBLE, /* the threads' code goes along it */
    RCP_JUDGED_REFUSED,  /* it does not */
    RCP_JUDGED_NOT       /* the checker can't say: the recorded order itself could not be run in its way, or a limit */
} rcp_judged;

/* A read that took another value than it did: up to 8 bytes of both. */
typedef struct rcp_change {
    uint64_t event, was, is, size;
} rcp_change;

typedef struct rcp_judgement {
    rcp_judged verdict;
    char why[512];
    uint64_t was[2], is[2]; /* of the racing accesses, where has_values: what they read or wrote, and would now */
    bool has_values[2];
    RCP_VEC(rcp_change) changes;
} rcp_judgement;

void rcp_judgement_finish(rcp_judgement *judgement);

typedef struct rcp_judge rcp_judge;

/* `directory` holds a recorded run and its events. */
rcp_code rcp_judge_create(const char *directory, const rcp_trace *trace, rcp_judge **judge) RCP_MUST_USE;
void rcp_judge_destroy(rcp_judge *judge);
/* The trace checker has accepted the witness, which ends with a race. */
rcp_code rcp_judge_ask(rcp_judge *judge, const rcp_witness *witness, rcp_judgement *judgement) RCP_MUST_USE;

/* --- between the judge and concrete/verdict.c --- */

/* What outside code left in memory, as event `read` showed it: `byte` is there once event `when` - 1 has happened; 0:
 * from the beginning. */
typedef struct rcp_patch {
    uint64_t when, read, address;
    uint8_t byte;
} rcp_patch;

typedef struct rcp_judge_question { /* then `events` words and `patches` rcp_patch */
    uint64_t recorded, upto;        /* of the witness; the latest event that it needs */
    uint64_t race[2], address[2];
    uint8_t kind[2];
    uint64_t events, patches;
} rcp_judge_question;

typedef struct rcp_judge_answer { /* then `changes` rcp_change */
    rcp_judged verdict;
    char why[512];
    uint64_t was[2], is[2];
    bool has_values[2];
    uint64_t changes;
} rcp_judge_answer;

#endif
