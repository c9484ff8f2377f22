/* SPDX-License-Identifier: Apache-2.0 */
/* Runs that were never recorded: the threads' code, executed along another order than the recorded one, and on from
 * there, wherever its branches now lead.
 *
 * A variant is a recording that was thought out. Its beginning is the recorded run; then threads run in the order that
 * a plan says, which makes some read take another value; then each goes on by itself, one after the other or in turns,
 * as long as everything that it needs is known. No branch is ever forced: it goes where the values send it, and
 * branches that follow from a changed one (if (c) lock … if (c) unlock) follow by themselves. What comes out is a log
 * beside the recorded one's image and modules, so everything that works on a recording works on it: re-execution, which
 * tells its events and terms and refuses a log that its code does not fit; the check that a trace is an execution; the
 * models; the concrete checker; replay.
 *
 * What a thread needs from outside comes from its own records: the answers of calls, in their order. An answer counts
 * only for the same question: the same call, with the same arguments, over the same memory, after the same calls as far
 * as those matter (program/explore/calls.c). Where a call is made that was not recorded, it is modelled or the thread
 * ends there; so it does at whatever could trap or is undefined (rcp_explore_end). A thread that ends early is sound:
 * races are among what comes before.
 *
 * Invariant: whatever the plan, the log is a run of the program, or rcp_explore() fails. The explorer owns its notes of
 * the recorded run.
 */
#ifndef RECIPE_PROGRAM_EXPLORE_EXPLORE_H
#define RECIPE_PROGRAM_EXPLORE_EXPLORE_H

#include "abi/run.h"
#include "base/status.h"
#include "base/vec.h"

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
/* A word for each, for reports. */
const char *rcp_explore_end_name(rcp_explore_end end);

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
} rcp_explored;

typedef struct rcp_explorer rcp_explorer;

/* Executes the recorded run once, to know what each call was asked and answered. */
rcp_code rcp_explorer_create(const char *directory, rcp_explorer **explorer) RCP_MUST_USE;
void rcp_explorer_destroy(rcp_explorer *explorer);

/* How a call ends may be up to other threads. */
typedef enum rcp_explore_outcome {
    RCP_OUTCOME_ONE,   /* it has one outcome, or waits until it has */
    RCP_OUTCOME_TRIES, /* it takes what is free, and fails where that is taken: at once, or in time */
    RCP_OUTCOME_OTHER  /* others, which are not looked at */
} rcp_explore_outcome;
/* Does the recorded program name a function with other outcomes than one? If not, nobody need look at its calls. */
rcp_code rcp_explore_may_fail(const char *directory, bool *may) RCP_MUST_USE;
/* Of the recorded call that the thread stands before at that position (rcp_moment.before). */
rcp_explore_outcome rcp_explorer_outcome(const rcp_explorer *explorer, uint32_t thread, uint64_t position);

/* Had the two threads, by their numbers in the log, one stack, one after the other? Then no plan can have both at a
 * time. */
bool rcp_explorer_shares_stack(const rcp_explorer *explorer, uint32_t one, uint32_t other);

/* Makes the directory `to`, which is not there: a log, and links to all else that the recording has. RCP_BAD_INPUT: the
 * plan could not be followed, and nothing is left there. */
rcp_code rcp_explore(rcp_explorer *explorer, const rcp_explore_plan *plan, const char *to,
                     rcp_explored *explored) RCP_MUST_USE;

#endif
