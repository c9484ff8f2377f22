/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/hunt_parts.h"

/* Whoever is led into a call stands before it: that a message's has begun, and after which others, is so for sure only
 * where it has come back. */
static uint32_t past_call(const rcp_trace *trace, uint32_t event) {
    const rcp_tid tid = trace->events.at[event].tid;
    const size_t len = rcp_trace_thread_len(trace, tid);
    uint32_t depth = 0, at = event;
    if (trace->events.at[event].kind != RCP_OPAQUE_BEGIN || !rcp_messages_has(trace, &trace->events.at[event]))
        return event;
    for (rcp_position i = trace->position[event]; i < len; i++) {
        at = (uint32_t)rcp_trace_event_of(trace, tid, i).v;
        depth += trace->events.at[at].kind == RCP_OPAQUE_BEGIN;
        if (trace->events.at[at].kind == RCP_OPAQUE_END && !--depth)
            return at;
    }
    return RCP_NO_EVENT;
}

bool rcp_hunt_parts_add(rcp_hunt_parts *p, const rcp_hunt_run *from, uint32_t but, const rcp_hunt_run *known,
                        rcp_hunt_parts_late *is_late, const void *context) {
    const size_t first = p->events.len;
    size_t kept = first;
    rcp_decisions_part(&from->decisions, but, &known->decisions, &p->events);
    for (size_t i = first; i < p->events.len; i++) {
        const uint32_t event = past_call(&from->subject->trace, p->events.at[i]);
        if (event != RCP_NO_EVENT && !(is_late && is_late(context, event)))
            p->events.at[kept++] = event;
    }
    p->events.len = kept;
    rcp_vec_push(&p->ends, kept);
    return kept > first;
}

void rcp_hunt_parts_need(rcp_hunt_parts *p, uint32_t event) {
    rcp_vec_push(&p->events, event);
    rcp_vec_push(&p->ends, p->events.len);
}

void rcp_hunt_parts_close(rcp_hunt_parts *p) {
    size_t from = 0;
    for (size_t i = 0; i < p->ends.len; from = p->ends.at[i++])
        rcp_vec_push(&p->wanted, ((rcp_slice_wanted){p->events.at + from, p->ends.at[i] - from}));
}

void rcp_hunt_parts_finish(rcp_hunt_parts *p) {
    rcp_vec_finish(&p->events);
    rcp_vec_finish(&p->ends);
    rcp_vec_finish(&p->wanted);
}
