/* SPDX-License-Identifier: Apache-2.0 */
/* What the concrete checker says of a witness, and how the judge's question and its answer go from one process to the
 * other: plain words, no pointers.
 *
 * Invariant: RCP_JUDGED_REFUSED is said only where the recorded order itself could be run. A judgement owns its
 * changes.
 */
#ifndef RECIPE_PROGRAM_CONCRETE_JUDGEMENT_H
#define RECIPE_PROGRAM_CONCRETE_JUDGEMENT_H

#include "base/vec.h"

#include <stdbool.h>
#include <stdint.h>

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
