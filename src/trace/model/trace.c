/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/model/trace.h"

#include "base/ranges.h"

void rcp_trace_init(rcp_trace *trace) {
    *trace = (rcp_trace){0};
    rcp_defs_init(&trace->defs);
    rcp_terms_init(&trace->terms);
    rcp_arena_init(&trace->bytes);
}

static void drop_index(rcp_trace *trace) {
    rcp_release(trace->position);
    rcp_release(trace->by_thread);
    rcp_release(trace->first);
    rcp_release(trace->life);
    trace->position = NULL;
    trace->by_thread = NULL;
    trace->first = NULL;
    trace->life = NULL;
}

void rcp_trace_finish(rcp_trace *trace) {
    drop_index(trace);
    rcp_defs_finish(&trace->defs);
    rcp_terms_finish(&trace->terms);
    rcp_arena_finish(&trace->bytes);
    rcp_vec_finish(&trace->events);
}

rcp_code rcp_trace_add(rcp_trace *trace, const rcp_event *event) {
    RCP_TRY(rcp_event_validate(&trace->defs, &trace->terms, event));
    rcp_event copy = *event;
    if (rcp_event_is_access(event) && event->size > 8 && event->valued) {
        copy.bytes = rcp_arena_copy(&trace->bytes, event->bytes, event->size);
        if (event->kind == RCP_RMW)
            copy.written_bytes = rcp_arena_copy(&trace->bytes, event->written_bytes, event->size);
    }
    rcp_vec_push(&trace->events, copy);
    return RCP_OK;
}

void rcp_trace_index(rcp_trace *trace) {
    size_t n = trace->events.len, threads = trace->defs.threads.len;
    drop_index(trace);
    trace->position = rcp_alloc_zero(n + 1, sizeof *trace->position);
    trace->by_thread = rcp_alloc_zero(n + 1, sizeof *trace->by_thread);
    trace->first = rcp_alloc_zero(threads + 1, sizeof *trace->first);
    trace->life = rcp_alloc_zero(n + 1, sizeof *trace->life);

    /* counting sort by thread */
    for (size_t i = 0; i < n; i++)
        trace->first[trace->events.at[i].tid.v + 1]++;
    for (size_t t = 0; t < threads; t++)
        trace->first[t + 1] += trace->first[t];
    rcp_position *done = rcp_alloc_zero(threads + 1, sizeof *done);
    for (size_t i = 0; i < n; i++) {
        uint32_t t = trace->events.at[i].tid.v;
        trace->position[i] = done[t]++;
        trace->by_thread[trace->first[t] + trace->position[i]] = i;
    }
    rcp_release(done);

    rcp_ranges lives;
    rcp_ranges_init(&lives);
    for (size_t i = 0; i < n; i++) {
        const rcp_event *e = &trace->events.at[i];
        uint64_t extent = rcp_event_extent(e);
        if (!extent)
            continue;
        uint32_t life = rcp_ranges_get(&lives, e->addr);
        trace->life[i] = life == RCP_RANGES_NONE ? 0 : (uint64_t)life + 1;
        if (e->kind == RCP_ALLOC || e->kind == RCP_FREE) {
            RCP_CHECK(i < RCP_RANGES_NONE);
            rcp_ranges_set(&lives, e->addr, e->addr + extent, (uint32_t)i);
        }
    }
    rcp_ranges_finish(&lives);
}

rcp_position rcp_trace_events_before(const rcp_trace *trace, uint32_t tid, uint64_t n) {
    size_t lo = trace->first[tid], hi = trace->first[tid + 1];
    while (lo < hi) {
        size_t middle = lo + (hi - lo) / 2;
        if (trace->by_thread[middle] < n)
            lo = middle + 1;
        else
            hi = middle;
    }
    return (rcp_position)(lo - trace->first[tid]);
}
