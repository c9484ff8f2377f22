/* SPDX-License-Identifier: Apache-2.0 */
/* When each event of a recorded run's trace happened, in terms of the run: the file DIR/moments beside DIR/events.rcp.
 *
 * A trace names events by their number; a schedule that is carried out on the program needs positions (abi/position.h).
 * The re-execution that tells the events knows both, and writes this besides.
 *
 * The file: a magic number, then per event, in the order of the trace, LEB128 numbers:
 *     zigzag(before - the thread's last one) << 4 | does a handler or a call begin? << 3 | span << 1 | is the turn
 * another than the last event's?
 *     and if it is: turns since, and the thread's number in the log; of a handler its signal, of a call 0. `span`:
 * after - before; 3: a call, where that is 1: then the number of its callee's name follows, in the order in which names
 * were met from 1 on (0: not known); and if it is the first time, the name: its length and its bytes.
 */
#ifndef RECIPE_PROGRAM_TELLING_MOMENTS_H
#define RECIPE_PROGRAM_TELLING_MOMENTS_H

#include "base/status.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct rcp_moment {
    uint32_t thread; /* its number in the log */
    uint64_t
        turn; /* the SLICE records that the log had until then: it happened in the turn that the last of them began */
    uint8_t signal;     /* the handler of this signal begins here; 0: none does */
    bool leaves;        /* it begins a call outside: its thread is in that once it stands past its position */
    uint64_t before;    /* the latest position at which its thread can be stopped before it */
    uint64_t after;     /* and the first at which it can be stopped after it; of what a call begins with: before it */
    bool is_call;       /* it happened within a call outside, or that is what it is */
    bool is_state;      /* it is what that begins with, surely: a use or a change of a state of the library */
    bool is_given;      /* it only says that what flows into a call is what it was */
    const char *callee; /* the name of that; NULL: not known. The reader's until the next event, or the caller's */
} rcp_moment;

typedef struct rcp_moments_writer rcp_moments_writer;

/* `path`: a new file. An error of writing stays, and close returns it. */
rcp_code rcp_moments_create(const char *path, rcp_moments_writer **writer) RCP_MUST_USE;
void rcp_moments_add(rcp_moments_writer *writer, const rcp_moment *moment);
rcp_code rcp_moments_close(rcp_moments_writer *writer) RCP_MUST_USE;
/* The same where something else has failed. */
void rcp_moments_abandon(rcp_moments_writer *writer);

/* The file's path in a recorded directory; the caller's. */
char *rcp_moments_take_path(const char *directory);

/* Calls `each` with every event's moment, in the order of the trace, until it answers false. */
typedef bool rcp_moments_visitor(void *context, uint64_t event, const rcp_moment *moment);
rcp_code rcp_moments_read(const char *directory, rcp_moments_visitor *each, void *context) RCP_MUST_USE;

#endif
