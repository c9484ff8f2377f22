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
#include "program/machine/machine.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct rcp_reexecution {
    uint64_t threads, events, callbacks, outside, misses, switches;
    uint64_t log_bytes, log_length; /* consumed, and there */
    uint64_t compared;              /* events that were compared with --log-values */
    bool has_values;
    double seconds;
    uint64_t pages; /* of memory, 64 KiB each */
    /* With `count`: executed instructions, and events by kind. */
    uint64_t instructions, loads, stores, atomics, fences, branches, ticks, copies, fills, calls;
} rcp_reexecution;

/* What a re-execution is for. Everything is borrowed. */
typedef struct rcp_purpose {
    rcp_pass pass;
    bool count;                          /* also counts instructions and events by kind, which takes longer */
    struct rcp_sharing *sharing;         /* SHARING fills it, TERMS reads it */
    struct rcp_sink *sink;               /* TERMS */
    struct rcp_checkpoints *checkpoints; /* TERMS: makes them on its way; NULL: none are wanted */
    struct rcp_override *change;         /* TERMS: of one read; NULL: none. Logged values are then not compared */
    struct rcp_exploring *explore; /* VALUES: leads instead of the log (program/explore/explore.h); NULL: nobody does */
    rcp_thread_names *names;       /* takes the threads' names; NULL: nobody wants them */
    const char *variable;          /* appends to `bytes` what memory held of this global variable in the end */
    rcp_text *bytes;
} rcp_purpose;

/* Filled as far as it got, on failure too. */
rcp_code rcp_reexecute_for(const char *dir, const rcp_purpose *purpose, rcp_reexecution *result) RCP_MUST_USE;

/* `count`: also counts instructions and events by kind, which takes longer. Filled as far as it got, on failure too. */
rcp_code rcp_reexecute(const char *dir, bool count, rcp_reexecution *result) RCP_MUST_USE;
/* The same, and appends what memory held of a global variable in the end. */
rcp_code rcp_reexecute_memory(const char *dir, const char *variable, rcp_text *bytes) RCP_MUST_USE;

#endif
