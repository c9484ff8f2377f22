/* SPDX-License-Identifier: Apache-2.0 */
#include "order/engine.h"

#include "order/edges.h"
#include "order/hb.h"
#include "order/shb.h"

#include <stdlib.h>
#include <string.h>

enum { AHEAD = 4 }; /* events between two links of rcp_history_expect() */

typedef struct open_pair {
    rcp_tid tid;
    rcp_reach reach;
} open_pair;

struct rcp_engine {
    const rcp_defs *defs;
    rcp_order_visitor *each;
    void *context;
    rcp_clocks clocks;
    rcp_edges edges;
    rcp_history history;
    RCP_VEC(rcp_runner) threads;
    rcp_channel line, ends;   /* P1: the events in line so far; the ENDs so far */
    RCP_VEC(open_pair) open;  /* barrier pairs that have begun and not ended */
    RCP_VEC(rcp_stamp) forks; /* by thread: its FORK; count 0: none so far */
    uint64_t events, flagged, races;
};

const rcp_rules *rcp_rules_of(rcp_model model) {
    switch (model) {
    case RCP_MODEL_HB: return &rcp_rules_hb;
    case RCP_MODEL_SHB: return &rcp_rules_shb;
    default: return NULL;
    }
}

rcp_engine *rcp_engine_create(const rcp_rules *rules, const rcp_defs *defs, rcp_order_visitor *each, void *context) {
    rcp_engine *engine = rcp_alloc_zero(1, sizeof *engine);
    engine->defs = defs;
    engine->each = each;
    engine->context = context;
    rcp_clocks_init(&engine->clocks);
    rcp_edges_init(&engine->edges, &engine->clocks, defs);
    rcp_history_init(&engine->history, &engine->clocks, rules, defs->reaches.len > 1);
    return engine;
}

void rcp_engine_destroy(rcp_engine *engine) {
    if (!engine)
        return;
    rcp_history_finish(&engine->history);
    rcp_edges_finish(&engine->edges);
    rcp_clocks_finish(&engine->clocks);
    rcp_vec_finish(&engine->threads);
    rcp_vec_finish(&engine->open);
    rcp_vec_finish(&engine->forks);
    rcp_release(engine);
}

static rcp_runner *runner_of(rcp_engine *engine, rcp_tid tid) {
    while (engine->threads.len <= tid.v) {
        uint32_t next = (uint32_t)engine->threads.len;
        rcp_vec_push(&engine->threads, (rcp_runner){.tid = next});
    }
    return &engine->threads.at[tid.v];
}

static int by_thread(const void *a, const void *b) {
    uint32_t one = ((const rcp_suspect *)a)->touch.tid, other = ((const rcp_suspect *)b)->touch.tid;
    return (one > other) - (one < other);
}

static void report(rcp_engine *engine, rcp_eid eid, const rcp_runner *runner, const rcp_event *event) {
    size_t n = engine->history.suspects.len;
    engine->flagged++;
    engine->races += n;
    qsort(engine->history.suspects.at, n, sizeof *engine->history.suspects.at, by_thread);
    for (size_t i = 0; i < n && engine->each; i++) {
        const rcp_suspect *s = &engine->history.suspects.at[i];
        rcp_order_race race = {
            .eid = eid,
            .earlier = {.tid = {s->touch.tid},
                        .position = s->touch.count - 1,
                        .loc = {s->touch.loc},
                        .kind = s->touch.kind,
                        .atomic = s->touch.atomic},
            .later = {.tid = {runner->tid},
                      .position = runner->count - 1,
                      .loc = event->loc,
                      .kind = event->kind,
                      .atomic = rcp_event_is_atomic(event)},
            .lo = s->lo,
            .hi = s->hi,
        };
        engine->each(engine->context, &race);
    }
    engine->history.suspects.len = 0;
}

static rcp_stamp *fork_of(rcp_engine *engine, rcp_tid tid) {
    while (engine->forks.len <= tid.v)
        rcp_vec_push(&engine->forks, (rcp_stamp){0});
    return &engine->forks.at[tid.v];
}

static void fork_child(rcp_engine *engine, rcp_runner *runner, rcp_tid tid) {
    if (!fork_of(engine, tid)->count)
        rcp_stamp_set(&engine->clocks, fork_of(engine, tid), runner);
    rcp_stamp stamp = {runner->clock, runner->tid, runner->count};
    rcp_runner *child = runner_of(engine, tid); /* may move the parent */
    if (!child->count)
        rcp_clock_receive(&engine->clocks, child, stamp);
}

static void join_child(rcp_engine *engine, rcp_tid joiner, rcp_tid tid, bool done) {
    rcp_runner *child = runner_of(engine, tid), *runner = &engine->threads.at[joiner.v];
    rcp_clock_receive(&engine->clocks, runner, *fork_of(engine, tid));
    if (done)
        rcp_clock_receive(&engine->clocks, runner, (rcp_stamp){child->clock, child->tid, child->count});
}

/* P1: opaque events, what runs inside a pair, and what an open pair reaches. */
static bool is_in_line(const rcp_engine *engine, const rcp_event *event) {
    uint64_t extent = rcp_event_extent(event);
    for (size_t i = 0; i < engine->open.len; i++) {
        const open_pair *pair = &engine->open.at[i];
        if (pair->tid.v == event->tid.v ||
            (extent && rcp_defs_reach_holds(engine->defs, pair->reach, event->addr, event->addr + extent)))
            return true;
    }
    return rcp_event_is_opaque(event);
}

static void add_opaque(rcp_engine *engine, rcp_runner *runner, const rcp_event *event) {
    const rcp_reach_def *reach = &engine->defs->reaches.at[event->reach.v];
    rcp_history_opaque(&engine->history, runner, reach->spans, reach->n);
    if (event->kind == RCP_OPAQUE_BEGIN) {
        rcp_vec_push(&engine->open, ((open_pair){event->tid, event->reach}));
        return;
    }
    for (size_t i = engine->open.len; i-- > 0;)
        if (engine->open.at[i].tid.v == event->tid.v) { /* the innermost of this thread */
            engine->open.len--;
            memmove(&engine->open.at[i], &engine->open.at[i + 1], (engine->open.len - i) * sizeof *engine->open.at);
            return;
        }
}

static void add_end(rcp_engine *engine, rcp_runner *runner) {
    rcp_channel_receive(&engine->clocks, &engine->line, runner);
    rcp_channel_send(&engine->clocks, &engine->ends, runner);
}

/* The event's own part, once what P1 puts before it is known. */
static void add(rcp_engine *engine, rcp_eid eid, rcp_runner *runner, const rcp_event *event) {
    switch (event->kind) {
    case RCP_READ:
    case RCP_WRITE:
    case RCP_RMW: rcp_history_access(&engine->history, runner, event); break;
    case RCP_FREE: rcp_history_free(&engine->history, runner, event); break;
    case RCP_ALLOC: rcp_history_alloc(&engine->history, runner, event); return;
    case RCP_FORK: fork_child(engine, runner, event->child); return;
    case RCP_JOIN: join_child(engine, event->tid, event->child, event->outcome == RCP_DONE); return;
    case RCP_OPAQUE_BEGIN:
    case RCP_OPAQUE_END: add_opaque(engine, runner, event); return;
    case RCP_END: add_end(engine, runner); return;
    case RCP_BEGIN:
    case RCP_FENCE:
    case RCP_BRANCH:
    case RCP_EXIT: return;
    default: rcp_edges_add(&engine->edges, runner, event); return;
    }
    if (engine->history.suspects.len)
        report(engine, eid, runner, event);
}

rcp_code rcp_engine_add(rcp_engine *engine, rcp_eid eid, const rcp_event *event) {
    rcp_runner *runner = runner_of(engine, event->tid);
    if (runner->count == UINT32_MAX)
        return rcp_fail(RCP_LIMIT,
                        "event %llu: thread %u has more than %u events, which is all that a position can count",
                        (unsigned long long)eid.v, event->tid.v, UINT32_MAX);
    runner->count++;
    engine->events++;
    bool in_line =
        (engine->open.len || rcp_event_is_opaque(event)) && event->kind != RCP_END && is_in_line(engine, event);
    if (in_line) {
        rcp_channel_receive(&engine->clocks, &engine->line, runner);
        rcp_channel_receive(&engine->clocks, &engine->ends, runner);
    }
    add(engine, eid, runner, event);
    if (in_line)
        rcp_channel_send(&engine->clocks, &engine->line, runner_of(engine, event->tid)); /* a FORK may move runners */
    return RCP_OK;
}

rcp_code rcp_engine_add_all(rcp_engine *engine, rcp_eid first, const rcp_event *events, size_t n) {
    for (size_t i = 0; i < n; i++) {
        for (int link = 0; link < 3; link++) {
            size_t ahead = i + (size_t)(3 - link) * AHEAD;
            if (ahead < n && rcp_event_is_access(&events[ahead]))
                rcp_history_expect(&engine->history, &events[ahead], link);
        }
        RCP_TRY(rcp_engine_add(engine, (rcp_eid){first.v + i}, &events[i]));
    }
    return RCP_OK;
}

rcp_engine_stats rcp_engine_statistics(const rcp_engine *engine) {
    return (rcp_engine_stats){
        .events = engine->events,
        .flagged = engine->flagged,
        .races = engine->races,
        .clock_copies = engine->clocks.copies,
        .clock_joins = engine->clocks.joins,
        .clock_bytes = rcp_clocks_bytes(&engine->clocks),
        .history_bytes = rcp_cells_bytes(&engine->history.cells),
    };
}

void rcp_engine_probe(rcp_engine *engine, rcp_probe *probe) { engine->history.probe = probe; }

const rcp_clocks *rcp_engine_borrow_clocks(const rcp_engine *engine) { return &engine->clocks; }

void rcp_probe_clear(rcp_engine *engine, rcp_probe *probe) {
    rcp_stamp_drop(&engine->clocks, &probe->before);
    for (size_t i = 0; i < probe->freed.len; i++)
        rcp_stamp_drop(&engine->clocks, &probe->freed.at[i]);
    rcp_vec_finish(&probe->freed);
}
