/* SPDX-License-Identifier: Apache-2.0 */
/* Who waits for what where a recorded run ended in a deadlock, as the report has it: one JSON object per thread (the
 * members of `deadlocks[].threads`, docs/report.md). Where a trace is made of the run they are its facts.
 *
 * The log's header has who waits (abi/log.h); names and places are whoever knows them. Owns nothing.
 */
#ifndef RECIPE_PROGRAM_RECORDING_WAITS_H
#define RECIPE_PROGRAM_RECORDING_WAITS_H

#include "abi/log.h"
#include "base/text.h"
#include "trace/model/defs.h"

#define RCP_WAITS_FACT "deadlock"

typedef struct rcp_waiting {
    const struct rcp_log_wait *wait;
    const char *thread, *holder; /* their names; holder NULL: there is none */
    const char *variable, *call; /* where the object is, and what was called; NULL: not known */
    const char *taken;           /* the member held_stack: where the holder took it; NULL: not known */
    const char *places;          /* members: file, line, column, function, stack; NULL: not known */
} rcp_waiting;

/* "mutex", "rwlock", "condition", "semaphore", "barrier", "once", "thread", "stream", "word" */
const char *rcp_waits_kind(uint32_t kind);
/* The members of `places`: where its call is, and who called. */
void rcp_waits_put_places(rcp_text *to, const rcp_defs *defs, rcp_loc loc, rcp_stack stack);
/* The member of `taken`. */
void rcp_waits_put_taken(rcp_text *to, const rcp_defs *defs, rcp_loc loc, rcp_stack stack);
void rcp_waits_put(rcp_text *to, const rcp_waiting *waiting);

#endif
