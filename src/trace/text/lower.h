/* SPDX-License-Identifier: Apache-2.0 */
/* Brings a trace down to what the formats of other tools know: threads, plain locks, and reads and writes of whole
 * variables. trace/text/std.c and trace/text/valued.c print what comes out.
 *
 * Sound for whoever reads the result: no order between events is lost that this trace has and that a race could hinge
 * on, except by what is counted as left out. What has no counterpart but orders threads (condition variables,
 * semaphores, barriers, once, locks that are shared or that somebody failed to get, opaque calls, atomics) becomes
 * `acq r w rel` on a lock and a variable of its own, which orders all such events of one object as they were observed:
 * more order than there was, never less. An access of what an opaque call can reach stands between two such steps.
 * Accesses are bytes here and variables there: the bytes are cut at every boundary of every access, so that accesses
 * have a variable in common exactly where they have a byte of one life in common.
 *
 * Names are kept where they can stand in the format and are unique. What the sink is given is borrowed for the call.
 */
#ifndef RECIPE_TRACE_TEXT_LOWER_H
#define RECIPE_TRACE_TEXT_LOWER_H

#include "base/text.h"
#include "trace/model/trace.h"

typedef enum rcp_lowered_op {
    RCP_LOWERED_BEGIN,
    RCP_LOWERED_END,
    RCP_LOWERED_FORK,
    RCP_LOWERED_JOIN,
    RCP_LOWERED_READ,
    RCP_LOWERED_WRITE,
    RCP_LOWERED_ACQUIRE,
    RCP_LOWERED_RELEASE,
} rcp_lowered_op;

typedef struct rcp_lowered {
    rcp_lowered_op op;
    const char *thread;
    const char *name; /* the child, variable or lock; NULL for BEGIN and END */
    uint64_t value;   /* READ, WRITE */
    rcp_loc loc;
} rcp_lowered;

typedef void rcp_lower_sink(void *context, const rcp_lowered *event);

typedef struct rcp_lower_options {
    uint64_t most_bytes;       /* of one variable; 0: any number */
    bool need_values;          /* refuse a trace in which an access has none */
    const char *bad;           /* characters that can't stand in a name */
    const char *bad_in_thread; /* and in the name of a thread that is nobody's child */
} rcp_lower_options;

/* What the format could not hold as it is. */
typedef struct rcp_lowering {
    uint64_t ordered[RCP_KINDS];  /* became `acq r w rel` (or `acq rel`): their order is kept, their meaning is not */
    uint64_t left_out[RCP_KINDS]; /* are not there at all */
    uint64_t split;               /* accesses that became several, one per variable */
    uint64_t values;              /* accesses whose values are not there */
    uint64_t terms;               /* events whose terms are not there */
    uint64_t locations;           /* events whose file, line and stack are not there; at most a number for them is */
    bool contents;                /* values are there, but not those that memory had before the first event */
} rcp_lowering;

rcp_code rcp_lower_trace(const rcp_trace *trace, rcp_lower_options options, rcp_lower_sink *sink, void *context,
                         rcp_lowering *notes) RCP_MUST_USE;

/* One line for each thing that was not kept as it is; nothing where all was. */
void rcp_lowering_print(rcp_text *out, const rcp_lowering *notes);

#endif
