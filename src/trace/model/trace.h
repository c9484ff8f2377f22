/* SPDX-License-Identifier: Apache-2.0 */
/* A whole trace in memory: for small traces, for tests, and for what needs random access (the checker, prediction).
 * Engines that can, stream from the store (trace/store/reader.h) instead.
 *
 * Invariant: every event passed rcp_event_validate(). After rcp_trace_index() the index describes all events; adding
 * one makes it stale. The trace owns everything in it, wide values included.
 */
#ifndef RECIPE_TRACE_MODEL_TRACE_H
#define RECIPE_TRACE_MODEL_TRACE_H

#include "base/arena.h"
#include "base/vec.h"
#include "trace/model/defs.h"
#include "trace/model/event.h"
#include "trace/model/term.h"

/* Where an event is within its thread: 0 for the thread's first. Positions are what witnesses are made of. */
typedef uint32_t rcp_position;

typedef struct rcp_trace {
    rcp_defs defs;
    rcp_terms terms;
    rcp_arena bytes; /* wide values */
    RCP_VEC(rcp_event) events;
    const char *loss; /* NULL, or what the file that it was read from had lost; in `bytes` */

    /* the index */
    rcp_position *position; /* of each event */
    uint64_t *by_thread;    /* event numbers, thread by thread, in order */
    size_t *first;          /* thread t has by_thread[first[t] .. first[t + 1]) */
    uint64_t *life;         /* of an access or FREE: 1 + the event that began the life of its first byte (for a FREE: of
                               the life it ends), 0 = the trace's beginning; of an ALLOC: likewise what it ends */
} rcp_trace;

void rcp_trace_init(rcp_trace *trace);
void rcp_trace_finish(rcp_trace *trace);
/* Copies the event, its wide values into the trace; refuses one that breaks the rules. */
rcp_code rcp_trace_add(rcp_trace *trace, const rcp_event *event) RCP_MUST_USE;
void rcp_trace_index(rcp_trace *trace);

static inline size_t rcp_trace_thread_len(const rcp_trace *trace, rcp_tid tid) {
    return trace->first[tid.v + 1] - trace->first[tid.v];
}
static inline rcp_eid rcp_trace_event_of(const rcp_trace *trace, rcp_tid tid, rcp_position position) {
    return (rcp_eid){trace->by_thread[trace->first[tid.v] + position]};
}

/* How many events of the thread are among the first `n` of the trace. */
rcp_position rcp_trace_events_before(const rcp_trace *trace, uint32_t tid, uint64_t n);

/* Is the event well-formed by itself: kind, outcome, mode, sizes, ids that exist, terms of fitting width? Says what is
 * wrong. What depends on other events is trace/check/wellformed.h's. */
rcp_code rcp_event_validate(const rcp_defs *defs, const rcp_terms *terms, const rcp_event *event) RCP_MUST_USE;

#endif
