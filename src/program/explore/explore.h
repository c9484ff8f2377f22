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

#include "base/status.h"
#include "program/explore/plan.h"

/* A word for each, for reports. */
const char *rcp_explore_end_name(rcp_explore_end end);

/* So often more at this call. */
void rcp_explore_calls_add(rcp_explore_calls *calls, rcp_explore_end end, const char *name, uint64_t times);

typedef struct rcp_explorer rcp_explorer;

/* Executes the recorded run once, to know what each call was asked and answered. */
rcp_code rcp_explorer_create(const char *directory, rcp_explorer **explorer) RCP_MUST_USE;
void rcp_explorer_destroy(rcp_explorer *explorer);

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
