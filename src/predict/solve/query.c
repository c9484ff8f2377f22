/* SPDX-License-Identifier: Apache-2.0 */
#include "predict/solve/query.h"

#include "predict/facts/mutant.h"

#include <string.h>

static void list_nodes(rcp_query *q) {
    const rcp_slice *s = q->slice;
    const rcp_trace *trace = q->facts->trace;
    q->event = rcp_alloc((s->size + 1) * sizeof *q->event);
    q->node_at = rcp_alloc((s->end - s->start + 1) * sizeof *q->node_at);
    uint32_t *latest = rcp_alloc((trace->defs.threads.len + 1) * sizeof *latest);
    for (size_t t = 0; t < trace->defs.threads.len; t++)
        latest[t] = RCP_NODE_PAST;
    for (uint32_t e = s->start; e < s->end; e++) {
        uint32_t tid = trace->events.at[e].tid.v;
        uint32_t *node = &q->node_at[e - s->start];
        *node = RCP_NODE_FUTURE;
        if (trace->position[e] >= s->upto[tid])
            continue;
        if (!s->idle || !rcp_bit(s->idle, e)) {
            latest[tid] = q->n;
            q->event[q->n++] = e;
        }
        *node = latest[tid];
    }
    rcp_release(latest);
    RCP_CHECK(q->n == s->size);
    q->race = q->n++;
    q->event[q->race] = RCP_NO_EVENT;
}

static void edge(rcp_query *q, uint32_t from, uint32_t to) { rcp_vec_push(&q->edges, ((rcp_edge){from, to})); }

/* If node `y` is executed, event `x` was before it. */
static void require(rcp_query *q, uint32_t x, uint32_t y) {
    if (x == RCP_NO_EVENT)
        return;
    uint32_t node = rcp_query_node(q, x);
    if (node == RCP_NODE_PAST || node == y)
        return;
    if (node != RCP_NODE_FUTURE)
        edge(q, node, y);
    else if (y == q->race)
        q->infeasible = true;
    else
        edge(q, q->race, y);
}

static void forbid(rcp_query *q, uint32_t x) {
    uint32_t node = rcp_query_node(q, x);
    if (node == RCP_NODE_PAST)
        q->infeasible = true;
    else if (node != RCP_NODE_FUTURE)
        edge(q, q->race, node);
}

/* P1 for an event at `node`. */
static void stand_in_line(rcp_query *q, uint32_t event, uint32_t node) {
    size_t n;
    const uint32_t *needs = rcp_observed_needs(&q->facts->observed, (rcp_eid){event}, &n);
    for (size_t i = 0; i < n && !RCP_MUTANT(NO_LINE) && !rcp_query_is_loose(q, RCP_LOOSE_OPAQUE); i++)
        require(q, needs[i], node);
}

static void require_named(rcp_query *q, uint32_t object, uint32_t node) {
    uint32_t init = q->facts->init[object];
    if (init != RCP_NO_EVENT && init != q->event[node] && !RCP_MUTANT(NO_INIT))
        require(q, init, node);
}

static void once_ended(rcp_query *q, uint32_t object, uint32_t node) {
    const rcp_lists *named = &q->facts->named;
    for (size_t i = named->first[object]; i < named->first[object + 1]; i++)
        if (rcp_run_facts_event(q->facts, named->at[i])->kind == RCP_ONCE_END) {
            require(q, named->at[i], node);
            return;
        }
}

/* T1, T2 */
static void join_needs(rcp_query *q, const rcp_event *e, uint32_t node) {
    const rcp_trace *trace = q->facts->trace;
    uint64_t fork = q->facts->observed.fork[e->child.v];
    size_t len = rcp_trace_thread_len(trace, e->child);
    if (fork != UINT64_MAX)
        require(q, (uint32_t)fork, node);
    if (e->outcome == RCP_DONE && len && !RCP_MUTANT(NO_JOIN))
        require(q, (uint32_t)rcp_trace_event_of(trace, e->child, (rcp_position)len - 1).v, node);
}

/* Is the end of a life no end, because who was given the memory could have been given other memory? */
static bool is_given_otherwise(const rcp_query *q, uint32_t end) {
    return rcp_query_is_loose(q, RCP_LOOSE_REUSE) && end != RCP_NO_EVENT &&
           rcp_run_facts_event(q->facts, end)->kind == RCP_ALLOC;
}

/* M1: where the lives of its bytes begin; and where they end, if that is a choice. */
static void lives(rcp_query *q, uint32_t event, uint32_t node) {
    const rcp_event *e = rcp_run_facts_event(q->facts, event);
    if (is_given_otherwise(q, event))
        return;
    uint64_t hi = e->addr + rcp_event_extent(e), upto, end_upto;
    for (uint64_t at = e->addr; at < hi; at = upto) {
        uint32_t life = rcp_observed_life(&q->facts->observed, (rcp_eid){event}, at, &upto);
        if (life)
            require(q, life - 1, node);
        for (uint64_t byte = at; byte < upto; byte = end_upto) {
            uint32_t end = rcp_run_facts_life_end(q->facts, life, byte, upto, &end_upto);
            uint32_t end_node = end == RCP_NO_EVENT || end == event ? RCP_NODE_FUTURE : rcp_query_node(q, end);
            if (end_node < q->race && !is_given_otherwise(q, end))
                rcp_vec_push(&q->limits, ((rcp_life_limit){node, end_node}));
        }
    }
}

/* P2: the last to change each byte of the reach. */
static void opaque_needs(rcp_query *q, uint32_t event, uint32_t node) {
    const rcp_observed *o = &q->facts->observed;
    size_t lo = rcp_observed_opaque(o, (rcp_eid){event});
    for (size_t i = 0; i < o->reached.at[lo].n; i++) {
        uint32_t last = o->pieces.at[o->reached.at[lo].first + i].value;
        if (last)
            require(q, last - 1, node);
    }
}

static void node_edges(rcp_query *q, uint32_t node) {
    uint32_t event = q->event[node];
    const rcp_event *e = rcp_run_facts_event(q->facts, event);
    const rcp_traits *traits = rcp_event_traits(e->kind);
    uint32_t previous = rcp_run_facts_previous(q->facts, event);
    if (previous != RCP_NO_EVENT)
        require(q, previous, node);
    else if (q->facts->observed.fork[e->tid.v] != UINT64_MAX && !RCP_MUTANT(NO_FORK))
        require(q, (uint32_t)q->facts->observed.fork[e->tid.v], node);
    if (traits->uses & RCP_USES_OBJECT)
        require_named(q, e->object.v, node);
    if (traits->uses & RCP_USES_LOCK)
        require_named(q, e->lock.v, node);
    stand_in_line(q, event, node);
    if (rcp_event_extent(e))
        lives(q, event, node);
    if (rcp_event_is_opaque(e) && !rcp_query_is_loose(q, RCP_LOOSE_OPAQUE))
        opaque_needs(q, event, node);
    if (e->kind == RCP_JOIN)
        join_needs(q, e, node);
    if (e->kind == RCP_ONCE_SKIP && !RCP_MUTANT(NO_ONCE))
        once_ended(q, e->object.v, node);
    if (e->kind == RCP_EXIT)
        forbid(q, event);
}

/* A1, but for which comes first (rcp_encoding_look()): edges go forward in the recorded order. */
static void arranged_edges(rcp_query *q) {
    const rcp_arrangement *as = q->slice->arranged;
    require(q, (uint32_t)as->last.v, q->race);
    for (unsigned i = 0; i < as->n; i++) {
        require(q, (uint32_t)as->before[i].v, q->race);
        require(q, (uint32_t)as->after[i].v, q->race);
    }
    if (as->never.v != RCP_NO_EID.v)
        forbid(q, (uint32_t)as->never.v);
}

/* R1 for one of the two: what must have been executed, and what must not. */
static void race_edges(rcp_query *q, uint32_t event, uint32_t other) {
    if (q->slice->arranged) {
        arranged_edges(q);
        return;
    }
    const rcp_event *e = rcp_run_facts_event(q->facts, event);
    uint32_t freed = rcp_run_facts_event(q->facts, other)->kind == RCP_FREE ? other + 1 : 0;
    uint32_t previous = rcp_run_facts_previous(q->facts, event);
    if (previous != RCP_NO_EVENT)
        require(q, previous, q->race);
    else if (q->facts->observed.fork[e->tid.v] != UINT64_MAX)
        require(q, (uint32_t)q->facts->observed.fork[e->tid.v], q->race);
    if (!q->slice->passes || event == q->slice->race[0])
        stand_in_line(q, event, q->race);
    if (q->slice->turned != RCP_NO_EVENT)
        require(q, q->slice->turned, q->race);
    if (q->slice->turns)
        return;
    uint64_t hi = e->addr + rcp_event_extent(e), upto, end_upto;
    for (uint64_t at = e->addr; at < hi; at = upto) {
        uint32_t life = rcp_observed_life(&q->facts->observed, (rcp_eid){event}, at, &upto);
        if (freed && life == freed)
            continue;
        if (life)
            require(q, life - 1, q->race);
        for (uint64_t byte = at; byte < upto; byte = end_upto) {
            uint32_t end = rcp_run_facts_life_end(q->facts, life, byte, upto, &end_upto);
            if (end != RCP_NO_EVENT && !is_given_otherwise(q, end))
                forbid(q, end);
        }
    }
}

/* R4 */
static uint32_t swap_of(const rcp_query *q) {
    const uint32_t *race = q->slice->race;
    for (int i = 0; i < 2 && !q->slice->is_still && !RCP_MUTANT(NO_SWAP_AT_THE_RACE); i++)
        if (rcp_event_must_succeed(rcp_run_facts_event(q->facts, race[i]), rcp_run_facts_event(q->facts, race[!i])))
            return race[i];
    return RCP_NO_EVENT;
}

/* Reads of other threads that a term needs. */
static void foreign_edges(rcp_query *q, bool relaxed) {
    const rcp_run_facts *f = q->facts;
    size_t lo = 0, hi = f->foreign.len;
    while (lo < hi) {
        size_t middle = lo + (hi - lo) / 2;
        if (f->foreign.at[middle].event < q->slice->start)
            lo = middle + 1;
        else
            hi = middle;
    }
    for (size_t i = lo; i < f->foreign.len; i++) {
        const rcp_foreign *foreign = &f->foreign.at[i];
        bool races =
            !q->slice->arranged && (foreign->event == q->slice->race[0] || foreign->event == q->slice->race[1]);
        uint32_t node = rcp_query_node(q, foreign->event);
        if (RCP_MUTANT(NO_FOREIGN_READS))
            continue;
        if (node < q->race && !(relaxed && foreign->value_only))
            require(q, foreign->read, node);
        if (races && (!foreign->value_only || (!relaxed && foreign->event == swap_of(q))))
            require(q, foreign->read, q->race);
    }
}

/* Fixed edges by their lower end. Those between events go forward in the recorded order. */
typedef struct outgoing {
    uint32_t *first, *to;
} outgoing;

static outgoing sort_edges(const rcp_query *q) {
    outgoing out = {rcp_alloc_zero(q->n + 2, sizeof(uint32_t)), rcp_alloc((q->edges.len + 1) * sizeof(uint32_t))};
    for (size_t i = 0; i < q->edges.len; i++)
        out.first[q->edges.at[i].from + 2]++;
    for (uint32_t i = 0; i < q->n; i++)
        out.first[i + 2] += out.first[i + 1];
    for (size_t i = 0; i < q->edges.len; i++)
        out.to[out.first[q->edges.at[i].from + 1]++] = q->edges.at[i].to;
    return out;
}

enum { NEEDED = 1, BARRED = 2 };

/* What must come before the race, and what must come after it. */
static uint8_t *sides(rcp_query *q, const outgoing *out) {
    uint8_t *side = rcp_alloc_zero(q->n, 1);
    side[q->race] = NEEDED;
    for (uint32_t x = q->race; x-- > 0;)
        for (uint32_t i = out->first[x]; i < out->first[x + 1]; i++)
            side[x] |= side[out->to[i]] & NEEDED;
    for (uint32_t i = out->first[q->race]; i < out->first[q->race + 1]; i++)
        side[out->to[i]] |= BARRED;
    for (uint32_t x = 0; x < q->race; x++)
        for (uint32_t i = out->first[x]; side[x] & BARRED && i < out->first[x + 1]; i++)
            if (out->to[i] == q->race)
                q->infeasible = true;
            else
                side[out->to[i]] |= BARRED;
    for (uint32_t x = 0; x < q->race; x++)
        q->infeasible |= side[x] == (NEEDED | BARRED);
    return side;
}

static void order_nodes(rcp_query *q, const uint8_t *side) {
    uint32_t n = 0;
    q->initial = rcp_alloc(q->n * sizeof *q->initial);
    for (int executed = 1; executed >= 0; executed--) {
        for (uint32_t x = 0; x < q->race; x++) {
            bool first = (side[x] & NEEDED || q->event[x] < q->slice->race[0]) && !(side[x] & BARRED);
            if (first == (bool)executed)
                q->initial[n++] = x;
        }
        if (executed)
            q->initial[n++] = q->race;
    }
}

static void number_threads(rcp_query *q) {
    uint32_t *local = rcp_alloc(q->facts->trace->defs.threads.len * sizeof *local + 1), *count;
    memset(local, 0xff, q->facts->trace->defs.threads.len * sizeof *local);
    q->thread_of = rcp_alloc(q->n * sizeof *q->thread_of);
    q->number = rcp_alloc(q->n * sizeof *q->number);
    for (uint32_t x = 0; x < q->race; x++) {
        uint32_t tid = rcp_query_event(q, x)->tid.v;
        if (local[tid] == UINT32_MAX)
            local[tid] = q->n_threads++;
        q->thread_of[x] = local[tid];
    }
    q->thread_of[q->race] = q->n_threads++; /* a thread of its own */
    count = rcp_alloc_zero(q->n_threads, sizeof *count);
    for (uint32_t x = 0; x < q->n; x++)
        q->number[x] = count[q->thread_of[x]]++;
    rcp_release(count);
    rcp_release(local);
}

static void run_clocks(rcp_query *q, const outgoing *out) {
    size_t row = q->n_threads;
    q->clocks = rcp_alloc_zero((size_t)q->n * row, sizeof *q->clocks);
    for (uint32_t i = 0; i < q->n; i++) {
        uint32_t x = q->initial[i];
        uint32_t *mine = &q->clocks[x * row];
        for (uint32_t k = out->first[x]; k < out->first[x + 1]; k++) {
            uint32_t *theirs = &q->clocks[out->to[k] * row];
            for (size_t t = 0; t < row; t++)
                theirs[t] = mine[t] > theirs[t] ? mine[t] : theirs[t];
            if (theirs[q->thread_of[x]] <= q->number[x])
                theirs[q->thread_of[x]] = q->number[x] + 1;
        }
    }
}

/* What the end needs: the accesses, or whatever stands there. */
static void end_edges(rcp_query *q) {
    const rcp_slice *slice = q->slice;
    for (uint32_t x = 0; x < q->race && slice->is_still; x++)
        edge(q, x, q->race);
    if (slice->is_still)
        return;
    race_edges(q, slice->race[0], slice->race[1]);
    race_edges(q, slice->race[1], slice->race[0]);
    for (uint32_t i = 0; i < slice->n_also; i++)
        race_edges(q, slice->also[i], slice->race[0]);
}

void rcp_query_init(rcp_query *q, const rcp_slice *slice, bool relaxed) {
    *q = (rcp_query){.slice = slice, .facts = slice->facts, .swap = RCP_NO_EVENT};
    list_nodes(q);
    for (uint32_t x = 0; x < q->race; x++)
        node_edges(q, x);
    end_edges(q);
    foreign_edges(q, relaxed);
    outgoing out = sort_edges(q);
    uint8_t *side = sides(q, &out);
    if (!q->infeasible) {
        order_nodes(q, side);
        number_threads(q);
        run_clocks(q, &out);
        q->swap = q->event[q->race] = swap_of(q); /* not before: edges speak of what is executed, and it is not */
        rcp_query_cut_memory(q);
    }
    rcp_release(side);
    rcp_release(out.first);
    rcp_release(out.to);
}

void rcp_query_finish(rcp_query *q) {
    rcp_release(q->event);
    rcp_release(q->node_at);
    rcp_vec_finish(&q->edges);
    rcp_release(q->initial);
    rcp_release(q->thread_of);
    rcp_release(q->number);
    rcp_release(q->clocks);
    rcp_vec_finish(&q->places);
    rcp_vec_finish(&q->writers);
    rcp_vec_finish(&q->touched);
    rcp_release(q->touches);
    rcp_vec_finish(&q->limits);
    *q = (rcp_query){0};
}
