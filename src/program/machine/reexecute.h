/* SPDX-License-Identifier: Apache-2.0 */
/* Executes a recorded run again, from its log and its bitcode.
 *
 * All threads over one memory, interleaved as the log says. Calls that left take their results from it, loads what the
 * shadow lacked. The log's checks, and every event of --log-values where the run has them, are compared on the way: the
 * first mismatch is a failure that says where.
 */
#ifndef RECIPE_PROGRAM_MACHINE_REEXECUTE_H
#define RECIPE_PROGRAM_MACHINE_REEXECUTE_H

#include "base/status.h"
#include "base/text.h"
#include "program/machine/run.h"

/* What a re-execution is for. Everything is borrowed. */
typedef struct rcp_purpose {
    const rcp_client *client; /* NULL: to see whether it is the run that was recorded, logged values compared */
    void *context;            /* the client's */
    bool count;               /* also counts instructions and events by kind, which takes longer */
    bool is_careful;          /* rcp_program's */
    rcp_thread_names *names;  /* takes the threads' names; NULL: nobody wants them */
    rcp_cut until;            /* it ends there */
    bool may_be_cut;          /* where the time is over (base/deadline.h; loading its code takes none of it) it ends,
                                 and says where; else it fails */
    uint64_t most;            /* the same after about so many events; 0: never */
    const rcp_stand *stops;   /* the same once all of these are behind, soon after that */
    size_t n_stops;
    const char *variable; /* appends to `bytes` what memory held of this global variable in the end */
    rcp_text *bytes;
} rcp_purpose;

/* Filled as far as it got, on failure too. */
rcp_code rcp_reexecute_for(const char *dir, const rcp_purpose *purpose, rcp_reexecution *result) RCP_MUST_USE;

/* `count`: also counts instructions and events by kind, which takes longer. Filled as far as it got, on failure too. */
rcp_code rcp_reexecute(const char *dir, bool count, rcp_reexecution *result) RCP_MUST_USE;
/* The same, and appends what memory held of a global variable in the end. */
rcp_code rcp_reexecute_memory(const char *dir, const char *variable, rcp_text *bytes) RCP_MUST_USE;

#endif
