/* SPDX-License-Identifier: Apache-2.0 */
/* What a run that was never recorded is to be, and what came of it: between whoever wants one and the explorer
 * (program/explore/explore.h), and between the explorer's parts. Plain values; a plan's steps are borrowed.
 */
#ifndef RECIPE_PROGRAM_EXPLORE_PLAN_H
#define RECIPE_PROGRAM_EXPLORE_PLAN_H

#include "abi/run.h"

#include <stdbool.h>
#include <stddef.h>

/* Why a thread went no further. */
typedef enum rcp_explore_end {
    RCP_EXPLORE_GOES_ON,   /* it has ended by itself, or waits for others */
    RCP_EXPLORE_OPAQUE,    /* it calls code outside that was not recorded so, and that is not modelled */
    RCP_EXPLORE_INPUT,     /* something else flows into a recorded call, or back from a callback */
    RCP_EXPLORE_SYNC,      /* synchronisation that is not modelled, or that would be undefined */
    RCP_EXPLORE_ADDRESS,   /* an access to no live object: null, wild, out of bounds, freed */
    RCP_EXPLORE_UNDEFINED, /* a division that traps, a shift by too much, signed overflow … */
    RCP_EXPLORE_LOOP,      /* a loop, or a recursion, of more events than the limit */
    RCP_EXPLORE_CODE,      /* code that can't be executed: marked unreachable, a trap, not modelled */
    RCP_EXPLORE_MEMORY,    /* contents that code outside has written unseen; memory that is used again too early */
    RCP_EXPLORE_EXIT,      /* it ends the process */
    RCP_EXPLORE_ENDS
} rcp_explore_end;

/* Calls outside at which threads went no further: OPAQUE or INPUT, by name. Of many, those that came first. */
enum { RCP_EXPLORE_CALLS = 32, RCP_EXPLORE_NAME = 128 };
typedef struct rcp_explore_calls {
    size_t n;
    struct rcp_explore_call {
        rcp_explore_end end;
        char name[RCP_EXPLORE_NAME]; /* as much of it as fits */
        uint64_t times;
    } at[RCP_EXPLORE_CALLS];
} rcp_explore_calls;

typedef struct rcp_explore_plan {
    uint64_t turn;            /* the recorded beginning goes on to the turn that this many SLICEs begin; 0: none */
    struct rcp_run_step last; /* and in it to where this thread stands before that position */
    const struct rcp_run_step *steps;
    size_t n;
    uint32_t first; /* the thread that goes on first when the steps are done */
    bool is_late;   /* a deadline that it has then is over */
    bool is_free;   /* the steps themselves may lead where the recorded run did not go: all that they do is looked at */
    bool in_turns;  /* it goes no further than the others: all of them go on in turns, a few events each */
} rcp_explore_plan;

typedef struct rcp_explored {
    rcp_explore_end end;             /* of plan.first */
    uint64_t ends[RCP_EXPLORE_ENDS]; /* threads, by why they went no further */
    uint64_t events;                 /* that all threads had in the end, counted as abi/position.h does */
    uint64_t free_events;            /* of these, after the plan */
    char why[256];                   /* where plan.first ended; "" where it goes on */
    rcp_explore_calls calls;
} rcp_explored;

/* How a call ends may be up to other threads. */
typedef enum rcp_explore_outcome {
    RCP_OUTCOME_ONE,   /* it has one outcome, or waits until it has */
    RCP_OUTCOME_TRIES, /* it takes what is free, and fails where that is taken: at once, or in time */
    RCP_OUTCOME_OTHER  /* others, which are not looked at */
} rcp_explore_outcome;

#endif
