/* SPDX-License-Identifier: Apache-2.0 */
#include "order/engine/engine.h"

#include "order/engine/c11.h"
#include "order/engine/dc.h"
#include "order/engine/edges.h"
#include "order/engine/hb.h"
#include "order/engine/redundant.h"
#include "order/engine/sdp.h"
#include "order/engine/shb.h"
#include "order/engine/wcp.h"
#include "order/engine/wdp.h"
#include "trace/check/barriers.h"
#include "trace/model/slots.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum {
    AHEAD = 4,                /* events between two links of rcp_history_expect() */
    SWEEP_SECTIONS = 100000,  /* critical sections that are kept before it is looked which of them are needed */
    LOOKS = 4,                /* positions that are looked at for each section in between */
    SPILL_SECTIONS = 1 << 21, /* of those the most in memory */
    NEWEST = 8,               /* of one thread, lock and mode, that stay in memory: they are asked for most */
    PRUNE_PAST = 1 << 14,     /* entries of order/engine/past.h before it is looked which of them are needed */
    FORGET_LINE = 1 << 16     /* the same for tags of the line */
};

struct rcp_engine {
    rcp_order_frame frame;
    rcp_order_visitor *each;
    void *context;
    rcp_edges edges;
    rcp_history history;
    RCP_VEC(rcp_runner) threads;
    uint64_t sweep_at, sweep_least; /* critical sections that are kept when it is looked which are needed */
    uint64_t spill_at;              /* in memory, when some go to disk */
    rcp_redundant redundant;        /* `places` is NULL where nothing is filtered */
    rcp_arena weak;                 /* runners of the order's own clock, where it has one */
    rcp_barriers line;              /* P1; used where there are reaches */
    RCP_VEC(rcp_stamp) in_line;     /* by the line's tag */
    size_t forget_at;               /* tags that are kept when it is looked which are needed */
    RCP_VEC(rcp_stamp) forks;       /* by thread: its FORK; count 0: none so far */
    RCP_VEC(bool) ended;            /* by thread */
    uint64_t prune_at, prune_least; /* entries of order/engine/past.h when it is looked which are needed */
    uint64_t events, flagged, races;
};

const rcp_rules *rcp_rules_of(rcp_model model) {
    switch (model) {
    case RCP_MODEL_HB: return &rcp_rules_hb;
    case RCP_MODEL_SHB: return &rcp_rules_shb;
    case RCP_MODEL_WCP: return &rcp_rules_wcp;
    case RCP_MODEL_DC: return &rcp_rules_dc;
    case RCP_MODEL_SDP: return &rcp_rules_sdp;
    case RCP_MODEL_WDP: return &rcp_rules_wdp;
    case RCP_MODEL_C11: return &rcp_rules_c11;
    default: return NULL;
    }
}

rcp_engine *rcp_engine_create(const rcp_rules *rules, const rcp_defs *defs, rcp_order_visitor *each, void *context) {
    rcp_engine *engine = rcp_alloc_zero(1, sizeof *engine);
    rcp_order_frame *frame = &engine->frame;
    engine->each = each;
    engine->context = context;
    *frame = (rcp_order_frame){.rules = rules,
                               .defs = defs,
                               .implicit = rcp_defs_implicit_branches(defs),
                               .narrow = rcp_defs_narrow_sequences(defs)};
    rcp_clocks_init(&frame->clocks);
    rcp_locks_init(&frame->locks, &frame->clocks);
    rcp_pending_init(&frame->pending, &frame->clocks);
    rcp_past_init(&frame->past, &frame->clocks);
    engine->prune_at = engine->prune_least = PRUNE_PAST;
    rcp_arena_init(&engine->weak);
    engine->sweep_at = engine->sweep_least = SWEEP_SECTIONS;
    engine->spill_at = SPILL_SECTIONS;
    rcp_edges_init(&engine->edges, frame);
    rcp_barriers_init(&engine->line, defs);
    engine->forget_at = FORGET_LINE;
    rcp_history_init(&engine->history, frame, defs->reaches.len > 1);
    return engine;
}

void rcp_engine_inform(rcp_engine *engine, const rcp_terms *terms, const rcp_order_facts *facts) {
    engine->frame.terms = terms;
    engine->frame.facts = facts;
    engine->frame.pending.by_term = terms;
}

void rcp_engine_name_places(rcp_engine *engine) {
    RCP_CHECK(!engine->frame.rules->sections && !rcp_order_handles(&engine->frame) && !engine->events);
    engine->history.cells.by_place = true;
}

void rcp_engine_filter(rcp_engine *engine) {
    if (engine->frame.defs->reaches.len > 1)
        return; /* what runs inside opaque code is in line with it, redundant or not */
    rcp_redundant_init(&engine->redundant, engine->frame.rules->reads_from);
    engine->history.redundant = &engine->redundant;
}

void rcp_engine_sweep_at(rcp_engine *engine, uint64_t kept) {
    engine->sweep_at = engine->sweep_least = engine->prune_at = engine->prune_least = kept;
}

void rcp_engine_spill_at(rcp_engine *engine, uint64_t sections) { engine->spill_at = sections; }

void rcp_engine_publish(rcp_engine *engine) { engine->frame.published = true; }

const rcp_order_graph *rcp_engine_keep_graph(rcp_engine *engine) {
    return engine->frame.clocks.graph = &engine->frame.graph;
}

void rcp_engine_destroy(rcp_engine *engine) {
    if (!engine)
        return;
    rcp_history_finish(&engine->history);
    rcp_edges_finish(&engine->edges);
    rcp_locks_finish(&engine->frame.locks);
    rcp_pending_finish(&engine->frame.pending);
    rcp_past_finish(&engine->frame.past);
    rcp_mend_finish(&engine->frame.mend);
    rcp_fences_finish(&engine->frame.fences, &engine->frame.clocks);
    rcp_order_graph_finish(&engine->frame.graph);
    rcp_clocks_finish(&engine->frame.clocks);
    rcp_arena_finish(&engine->weak);
    rcp_vec_finish(&engine->threads);
    rcp_redundant_finish(&engine->redundant);
    rcp_barriers_finish(&engine->line);
    rcp_vec_finish(&engine->in_line);
    rcp_vec_finish(&engine->forks);
    rcp_vec_finish(&engine->ended);
    rcp_release(engine);
}

static rcp_runner *runner_of(rcp_engine *engine, rcp_tid tid) {
    while (engine->threads.len <= tid.v) {
        rcp_runner runner = {.tid = (uint32_t)engine->threads.len};
        if (engine->frame.rules->composes) {
            runner.weak = rcp_arena_alloc(&engine->weak, sizeof *runner.weak);
            *runner.weak = (rcp_runner){.tid = runner.tid};
        }
        rcp_vec_push(&engine->threads, runner);
    }
    return &engine->threads.at[tid.v];
}

/* Lets go of critical sections that nobody can need any more: every clock and stamp that is kept is looked at.
 * Amortised: the next time is when twice as many are kept as now, or as many more as pay for so many looks. */
static void sweep(rcp_engine *engine) {
    size_t n = engine->threads.len;
    rcp_position_list *of = rcp_alloc_zero(n + 1, sizeof *of);
    rcp_clocks_positions(&engine->frame.clocks, of, n);
    for (size_t i = 0; i < engine->in_line.len; i++)
        rcp_stamp_position(engine->in_line.at[i], of, n);
    for (size_t t = 0; t < engine->forks.len; t++)
        rcp_stamp_position(engine->forks.at[t], of, n);
    rcp_edges_positions(&engine->edges, of, n);
    for (size_t i = 0; i < engine->frame.pending.reads.len; i++)
        rcp_stamp_position(engine->frame.pending.reads.at[i].after, of, n);
    rcp_cells_positions(&engine->history.cells, of, n);
    uint64_t looks = 0, live;
    for (size_t t = 0; t < n; t++)
        looks += of[t].len;
    rcp_locks_sweep(&engine->frame.locks, of, n);
    live = engine->frame.locks.live;
    engine->sweep_at = live + (live > looks / LOOKS ? live : looks / LOOKS);
    if (engine->sweep_at < engine->sweep_least)
        engine->sweep_at = engine->sweep_least;
    for (size_t t = 0; t < n; t++)
        rcp_vec_finish(&of[t]);
    rcp_release(of);
}

/* Where few can go, because the newest of each thread and lock stay, or the disk is full, more may stay in memory. */
static void spill(rcp_engine *engine) {
    rcp_locks_spill(&engine->frame.locks, engine->spill_at < NEWEST ? 1 : NEWEST);
    uint64_t left = rcp_locks_in_memory(&engine->frame.locks);
    engine->spill_at = left > engine->spill_at / 2 ? 2 * left : engine->spill_at;
}

/* Lets go of what is known of events that everybody knows who can still run. A thread that begins without a FORK knows
 * nothing: as long as one may come, all is needed. */
static void prune_past(rcp_engine *engine) {
    size_t n = engine->threads.len;
    bool all = n >= engine->frame.defs->threads.len;
    for (size_t t = 0; t < n && all; t++)
        all = engine->threads.at[t].count || (t < engine->forks.len && engine->forks.at[t].count);
    for (uint32_t t = 0; t < n && all; t++) {
        uint32_t known = engine->threads.at[t].count;
        for (size_t u = 0; u < n && known; u++) {
            const rcp_runner *seen = rcp_runner_seen(&engine->threads.at[u]);
            if (u == t || (u < engine->ended.len && engine->ended.at[u]))
                continue;
            uint32_t knows = t < seen->len ? seen->at[t] : 0;
            known = knows < known ? knows : known;
        }
        rcp_past_let_go(&engine->frame.past, t, known);
    }
    uint64_t pays = (uint64_t)n * n / 16; /* for so many comparisons */
    engine->prune_at = 2 * engine->frame.past.kept + (pays > engine->prune_least ? pays : engine->prune_least);
}

static int by_thread(const void *a, const void *b) {
    const rcp_touch *one = &((const rcp_suspect *)a)->touch, *other = &((const rcp_suspect *)b)->touch;
    if (one->tid != other->tid)
        return one->tid < other->tid ? -1 : 1;
    return (one->count > other->count) - (one->count < other->count);
}

static void report(rcp_engine *engine, rcp_eid eid, const rcp_runner *runner, const rcp_event *event) {
    size_t n = engine->history.suspects.len;
    if (engine->frame.rules->model == RCP_MODEL_C11 && rcp_slot_is_descriptor(event->addr)) {
        engine->history.suspects.len = 0; /* no memory of the language's */
        return;
    }
    engine->flagged++;
    qsort(engine->history.suspects.at, n, sizeof *engine->history.suspects.at, by_thread);
    for (size_t i = 0; i < n; i++) {
        const rcp_suspect *s = &engine->history.suspects.at[i];
        engine->races += !i || s[-1].touch.tid != s->touch.tid;
        if (!engine->each)
            continue;
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
        rcp_stamp_set(&engine->frame.clocks, fork_of(engine, tid), runner);
    rcp_stamp stamp = {runner->clock, runner->tid, runner->count};
    rcp_runner *child = runner_of(engine, tid); /* may move the parent */
    if (!child->count)
        rcp_clock_receive(&engine->frame.clocks, child, stamp);
}

static void join_child(rcp_engine *engine, rcp_tid joiner, rcp_tid tid, bool done) {
    rcp_runner *child = runner_of(engine, tid), *runner = &engine->threads.at[joiner.v];
    rcp_clock_receive(&engine->frame.clocks, runner, *fork_of(engine, tid));
    if (done)
        rcp_clock_receive(&engine->frame.clocks, runner, (rcp_stamp){child->clock, child->tid, child->count});
}

/* Lets go of stamps that no event will need. Amortised: the next time is when twice as many are kept. */
static void forget_line(rcp_engine *engine) {
    rcp_barriers_tags kept = {0};
    size_t next = 0;
    rcp_barriers_forget(&engine->line, &kept);
    for (size_t i = 0; i < engine->in_line.len; i++)
        if (next < kept.len && kept.at[next] == i)
            engine->in_line.at[next++] = engine->in_line.at[i];
        else
            rcp_stamp_drop(&engine->frame.clocks, &engine->in_line.at[i]);
    engine->in_line.len = next;
    engine->forget_at = 2 * next > FORGET_LINE ? 2 * next : FORGET_LINE;
    rcp_vec_finish(&kept);
}

/* P1, before the event: what it needs comes before it. Returns its tag. */
static uint32_t stand_in_line(rcp_engine *engine, rcp_runner *runner, const rcp_event *event) {
    if (engine->in_line.len >= engine->forget_at)
        forget_line(engine);
    uint32_t tag = rcp_barriers_add(&engine->line, event);
    for (size_t i = 0; i < engine->line.needs.len; i++)
        rcp_clock_receive(&engine->frame.clocks, runner, engine->in_line.at[engine->line.needs.at[i]]);
    return tag;
}

/* What stands in code that is not known may be a fence; some of it is one in every thread. */
static void add_opaque(rcp_engine *engine, rcp_runner *runner, const rcp_event *event) {
    const rcp_reach_def *reach = &engine->frame.defs->reaches.at[event->reach.v];
    const rcp_rules *rules = engine->frame.rules;
    const bool is_everywhere = rules->fences && rcp_defs_fences_all(engine->frame.defs, event);
    if (rules->fences)
        rules->fences(&engine->frame, runner, RCP_ACQ);
    for (size_t t = 0; is_everywhere && t < engine->threads.len; t++) {
        const rcp_runner *other = &engine->threads.at[t];
        if (other != runner)
            rcp_clock_receive(&engine->frame.clocks, runner, (rcp_stamp){other->clock, other->tid, other->count});
    }
    rcp_history_opaque(&engine->history, runner, reach->spans, reach->n);
    if (!rules->fences)
        return;
    rules->fences(&engine->frame, runner, RCP_REL);
    if (is_everywhere)
        rcp_stamp_set(&engine->frame.clocks, &engine->frame.fences.everywhere, runner);
}

static void add_end(rcp_engine *engine, rcp_runner *runner) {
    while (engine->ended.len <= runner->tid)
        rcp_vec_push(&engine->ended, false);
    engine->ended.at[runner->tid] = true;
}

/* The event's own part, once what P1 puts before it is known. */
static void add(rcp_engine *engine, rcp_eid eid, rcp_runner *runner, const rcp_event *event) {
    switch (event->kind) {
    case RCP_READ:
    case RCP_WRITE:
    case RCP_RMW: rcp_history_access(&engine->history, runner, eid.v, event); break;
    case RCP_FREE: rcp_history_free(&engine->history, runner, event); break;
    case RCP_ALLOC: rcp_history_alloc(&engine->history, runner, event); return;
    case RCP_FORK: fork_child(engine, runner, event->child); return;
    case RCP_JOIN: join_child(engine, event->tid, event->child, event->outcome == RCP_DONE); return;
    case RCP_OPAQUE_BEGIN:
    case RCP_OPAQUE_END: add_opaque(engine, runner, event); return;
    case RCP_END: add_end(engine, runner); return;
    case RCP_FENCE:
        if (engine->frame.rules->fences)
            engine->frame.rules->fences(&engine->frame, runner, event->mode);
        return;
    case RCP_BEGIN:
    case RCP_BRANCH:
    case RCP_EXIT: return;
    default: rcp_edges_add(&engine->edges, runner, event); return;
    }
    if (engine->history.suspects.len)
        report(engine, eid, runner, event);
}

/* Between two events: what sections take is kept within bounds. */
static inline rcp_code tend_sections(rcp_engine *engine) {
    rcp_locks *locks = &engine->frame.locks;
    if (locks->fetched.len)
        rcp_locks_next(locks);
    if (locks->live >= engine->sweep_at)
        sweep(engine);
    if (rcp_locks_in_memory(locks) >= engine->spill_at)
        spill(engine);
    if (locks->spill.failed)
        return rcp_fail(RCP_SYSTEM,
                        "critical sections that went to a temporary file can't be read back: %s; TMPDIR "
                        "names the directory for such files",
                        strerror(errno));
    return RCP_OK;
}

/* What the thread knows after its event; a FORK may have moved runners. */
static inline void note_past(rcp_engine *engine, rcp_tid tid) {
    engine->frame.clocks.news = false;
    rcp_past_note(&engine->frame.past, &engine->threads.at[tid.v]);
    if (engine->frame.past.kept >= engine->prune_at)
        prune_past(engine);
}

rcp_code rcp_engine_add(rcp_engine *engine, rcp_eid eid, const rcp_event *event) {
    rcp_runner *runner = runner_of(engine, event->tid);
    if (runner->count == UINT32_MAX)
        return rcp_fail(RCP_LIMIT,
                        "event %llu: thread %u has more than %u events, which is all that a position can count",
                        (unsigned long long)eid.v, event->tid.v, UINT32_MAX);
    bool first = !runner->count++; /* what it has learned from its FORK is noted now */
    engine->events++;
    engine->frame.graph.event = (uint32_t)eid.v;
    engine->frame.graph.tid = event->tid.v;
    engine->frame.graph.executed = false;
    if (engine->frame.rules->sections)
        RCP_TRY(tend_sections(engine));
    uint32_t tag = engine->frame.defs->reaches.len > 1 ? stand_in_line(engine, runner, event) : RCP_BARRIERS_NONE;
    if (engine->frame.rules->necessary) /* an address counts before it is compared: a racing access has one, too */
        rcp_pending_take(&engine->frame.pending, runner, engine->frame.terms, event->addr_term, false);
    if (engine->redundant.places && !rcp_event_is_access(event)) {
        if (rcp_redundant_is(&engine->redundant, event, runner->count))
            return RCP_OK;
        if (engine->redundant.late.len)
            rcp_history_catch_up(&engine->history);
    }
    if (engine->frame.fences.everywhere.count)
        rcp_clock_receive(&engine->frame.clocks, runner, engine->frame.fences.everywhere);
    if (event->kind == RCP_BRANCH && engine->frame.rules->executes)
        engine->frame.rules->executes(&engine->frame, runner, event);
    add(engine, eid, runner, event);
    if ((engine->frame.clocks.news || first) && rcp_order_handles(&engine->frame))
        note_past(engine, event->tid);
    if (tag != RCP_BARRIERS_NONE) {
        while (engine->in_line.len <= tag)
            rcp_vec_push(&engine->in_line, (rcp_stamp){0});
        rcp_stamp_set(&engine->frame.clocks, &engine->in_line.at[tag],
                      runner_of(engine, event->tid)); /* a FORK may move runners */
    }
    return RCP_OK;
}

rcp_code rcp_engine_add_all(rcp_engine *engine, rcp_eid first, const rcp_event *events, size_t n) {
    for (size_t i = 0; i < n; i++) {
        for (int link = 0; link < RCP_HISTORY_LINKS; link++) {
            size_t ahead = i + (size_t)(RCP_HISTORY_LINKS - link) * AHEAD;
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
        .clock_copies = engine->frame.clocks.copies,
        .clock_joins = engine->frame.clocks.joins,
        .clock_bytes = rcp_clocks_bytes(&engine->frame.clocks),
        .history_bytes = rcp_cells_bytes(&engine->history.cells) + rcp_locks_bytes(&engine->frame.locks),
        .redundant_accesses = engine->redundant.accesses,
        .redundant_branches = engine->redundant.branches,
        .sections = engine->frame.locks.sections,
        .sections_peak = engine->frame.locks.peak,
        .sections_spilled = engine->frame.locks.spilled_peak,
        .forgotten = engine->frame.pending.forgotten,
    };
}

void rcp_engine_probe(rcp_engine *engine, rcp_probe *probe) { engine->history.probe = probe; }

const rcp_clocks *rcp_engine_borrow_clocks(const rcp_engine *engine) { return &engine->frame.clocks; }

void rcp_probe_clear(rcp_engine *engine, rcp_probe *probe) {
    rcp_stamp_drop(&engine->frame.clocks, &probe->before);
    for (size_t i = 0; i < probe->freed.len; i++)
        rcp_stamp_drop(&engine->frame.clocks, &probe->freed.at[i]);
    rcp_vec_finish(&probe->freed);
}
