/* SPDX-License-Identifier: Apache-2.0 */
#include "order/proof/construct.h"

#include "base/hash.h"

/* Where in its thread the sections begin that are open at the end of the cone and hold an access. */
static uint32_t tail_of(const rcp_cone *c, uint32_t tid) {
    uint32_t from = c->need[tid];
    for (size_t i = 0; i < c->holds[tid].len; i++) {
        const rcp_cone_section *section = &c->sections.at[c->holds[tid].at[i].section];
        if (rcp_cone_encloses_race(c, section) && section->acquired < from)
            from = section->acquired;
    }
    return from;
}

void rcp_construct_recorded(const rcp_cone *c, bool last, rcp_witness *witness) {
    const rcp_trace *trace = c->trace;
    size_t threads = trace->defs.threads.len;
    uint32_t *stop = rcp_alloc_zero(threads + 1, sizeof *stop);
    uint64_t end = 0;
    for (uint32_t t = 0; t < threads; t++) {
        stop[t] = last ? tail_of(c, t) : c->need[t];
        stop[t] = stop[t] < c->base[t] ? c->base[t] : stop[t];
        if (c->need[t] > c->base[t]) {
            uint64_t eid = rcp_cone_event(c, t, c->need[t] - 1).v + 1;
            end = eid > end ? eid : end;
        }
    }
    witness->recorded = c->recorded;
    for (uint64_t i = c->recorded; i < end; i++) {
        uint32_t t = trace->events.at[i].tid.v;
        if (trace->position[i] < stop[t])
            rcp_witness_run(witness, (rcp_tid){t}, trace->position[i] + 1);
    }
    for (uint32_t t = 0; t < threads; t++)
        if (stop[t] < c->need[t])
            rcp_witness_run(witness, (rcp_tid){t}, c->need[t]);
    rcp_release(stop);
}

/* A schedule in the making. Memory is kept per byte. */
typedef struct greedy {
    rcp_cone *c;
    const rcp_saturation *order;
    uint32_t *done;
    rcp_map at;               /* byte -> places */
    RCP_VEC(uint32_t) places; /* 1 + the event that wrote it last; 0: none so far */
    rcp_map readers;          /* (writer, byte) -> counts of causal reads that have not come */
    RCP_VEC(uint32_t) counts;
    RCP_VEC(uint32_t) holders; /* by lock: threads that hold it exclusively + 1, shared ones * 65536 */
    RCP_VEC(uint32_t) later;   /* by lock: sections of it that are to end and have not */
} greedy;

static uint32_t *count_of(greedy *g, uint32_t writer, uint64_t byte) {
    uint32_t *at = rcp_map_at(&g->readers, rcp_hash_join(writer, byte));
    if (*at == RCP_MAP_NONE) {
        *at = (uint32_t)g->counts.len;
        rcp_vec_push(&g->counts, 0);
    }
    return &g->counts.at[*at];
}

static uint32_t *place_of(greedy *g, uint64_t byte) {
    uint32_t *at = rcp_map_at(&g->at, byte);
    if (*at == RCP_MAP_NONE) {
        *at = (uint32_t)g->places.len;
        rcp_vec_push(&g->places, 0);
    }
    return &g->places.at[*at];
}

static bool is_causal(const greedy *g, uint64_t eid) { return rcp_map_get(&g->c->causal_reads, eid) != RCP_MAP_NONE; }

/* Counts the causal reads of each write. */
static void prepare(greedy *g) {
    rcp_cone *c = g->c;
    uint64_t upto;
    for (size_t i = 0; i < c->trace->defs.objects.len; i++) {
        rcp_vec_push(&g->holders, 0);
        rcp_vec_push(&g->later, 0);
    }
    for (size_t i = 0; i < c->sections.len; i++)
        g->later.at[c->sections.at[i].lock] += c->sections.at[i].released != RCP_OPEN;
    for (uint32_t t = 0; t < c->trace->defs.threads.len; t++)
        for (uint32_t p = 0; p < c->need[t]; p++) {
            rcp_eid eid = rcp_cone_event(c, t, p);
            const rcp_event *e = &c->trace->events.at[eid.v];
            if (rcp_event_reads(e) && is_causal(g, eid.v))
                for (uint64_t b = e->addr; b < e->addr + e->size; b++)
                    ++*count_of(g, rcp_observed_writer(c->observed, eid, b, &upto), b);
        }
}

static bool memory_allows(greedy *g, rcp_eid eid, const rcp_event *e) {
    uint64_t upto;
    bool causal = rcp_event_reads(e) && is_causal(g, eid.v);
    for (uint64_t b = e->addr; b < e->addr + e->size; b++) {
        uint32_t writer = *place_of(g, b), mine = 0;
        if (causal && writer != (mine = rcp_observed_writer(g->c->observed, eid, b, &upto)))
            return false;
        if (rcp_event_writes(e) && *count_of(g, writer, b) > (causal && mine == writer))
            return false; /* somebody has yet to read what is there */
    }
    return true;
}

static bool lock_allows(greedy *g, uint32_t tid, uint32_t position, uint32_t lock, rcp_mode mode) {
    rcp_cone *c = g->c;
    uint32_t held = g->holders.at[lock];
    const rcp_cone_section *mine = NULL;
    for (size_t i = 0; i < c->sections.len && !mine; i++)
        if (c->sections.at[i].tid == tid && c->sections.at[i].acquired == position && c->sections.at[i].lock == lock)
            mine = &c->sections.at[i];
    if (!mine)
        return true; /* inside one already */
    if (mode == RCP_EXCLUSIVE ? held != 0 : held % 65536 != 0)
        return false;
    return mine->released != RCP_OPEN || !g->later.at[lock]; /* one that stays open comes last */
}

static bool allowed(greedy *g, uint32_t tid) {
    rcp_cone *c = g->c;
    uint32_t position = g->done[tid];
    rcp_eid eid = rcp_cone_event(c, tid, position);
    const rcp_event *e = &c->trace->events.at[eid.v];
    const uint32_t *before = g->order->before + (g->order->first[tid] + position) * g->order->threads;
    for (size_t t = 0; t < g->order->threads; t++)
        if (t != tid && g->done[t] < before[t])
            return false;
    if (e->kind == RCP_ACQUIRE && e->outcome == RCP_DONE)
        return lock_allows(g, tid, position, e->object.v, e->mode);
    if (e->kind == RCP_WAKE)
        return lock_allows(g, tid, position, e->lock.v, RCP_EXCLUSIVE);
    return !rcp_event_is_access(e) || memory_allows(g, eid, e);
}

static void take_locks(greedy *g, uint32_t tid, uint32_t position) {
    const rcp_cone *c = g->c;
    for (size_t i = 0; i < c->sections.len; i++) {
        const rcp_cone_section *s = &c->sections.at[i];
        uint32_t one = s->mode == RCP_EXCLUSIVE ? 1 : 65536;
        if (s->tid != tid)
            continue;
        if (s->acquired == position)
            g->holders.at[s->lock] += one;
        if (s->released == position) {
            g->holders.at[s->lock] -= one;
            g->later.at[s->lock]--;
        }
    }
}

static void execute(greedy *g, uint32_t tid) {
    rcp_cone *c = g->c;
    uint32_t position = g->done[tid]++;
    rcp_eid eid = rcp_cone_event(c, tid, position);
    const rcp_event *e = &c->trace->events.at[eid.v];
    uint64_t upto;
    c->work++;
    if (e->kind == RCP_ACQUIRE || e->kind == RCP_RELEASE || e->kind == RCP_WAIT || e->kind == RCP_WAKE)
        take_locks(g, tid, position);
    for (uint64_t b = e->addr; rcp_event_is_access(e) && b < e->addr + e->size; b++) {
        if (rcp_event_reads(e) && is_causal(g, eid.v))
            --*count_of(g, rcp_observed_writer(c->observed, eid, b, &upto), b);
        if (rcp_event_writes(e))
            *place_of(g, b) = (uint32_t)eid.v + 1;
    }
}

static bool run(greedy *g, uint64_t seed, rcp_witness *witness) {
    rcp_cone *c = g->c;
    for (uint64_t left = 0, step = 0;; step++) {
        uint64_t best = UINT64_MAX;
        uint32_t chosen = 0;
        left = 0;
        for (uint32_t t = 0; t < c->trace->defs.threads.len; t++) {
            left += g->done[t] < c->need[t];
            if (g->done[t] >= c->need[t] || !allowed(g, t))
                continue;
            uint64_t eid = rcp_cone_event(c, t, g->done[t]).v;
            uint64_t rank = !seed       ? eid
                            : seed == 1 ? UINT64_MAX - 1 - eid
                                        : rcp_hash_u64(seed * 7919 + step * 31 + t) / 2;
            if (rank < best) {
                best = rank;
                chosen = t;
            }
        }
        if (!left)
            return true;
        if (best == UINT64_MAX)
            return false;
        execute(g, chosen);
        rcp_witness_run(witness, (rcp_tid){chosen}, g->done[chosen]);
    }
}

bool rcp_construct_greedily(const rcp_saturation *order, uint64_t seed, rcp_witness *witness) {
    rcp_cone *c = order->cone;
    if (!order->before)
        return false;
    greedy g = {.c = c, .order = order};
    g.done = rcp_alloc_zero(c->trace->defs.threads.len + 1, sizeof *g.done);
    rcp_map_init(&g.at);
    rcp_map_init(&g.readers);
    prepare(&g);
    bool found = run(&g, seed, witness);
    rcp_release(g.done);
    rcp_map_finish(&g.at);
    rcp_map_finish(&g.readers);
    rcp_vec_finish(&g.places);
    rcp_vec_finish(&g.counts);
    rcp_vec_finish(&g.holders);
    rcp_vec_finish(&g.later);
    return found;
}
