/* SPDX-License-Identifier: Apache-2.0 */
#include "order/proof/saturate.h"

#include "base/limits.h"
#include "trace/check/barriers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void rcp_saturation_init(rcp_saturation *s, rcp_cone *cone) { *s = (rcp_saturation){.cone = cone}; }

static void clear(rcp_saturation *s) {
    rcp_release(s->first);
    rcp_release(s->tid);
    rcp_release(s->before);
    s->first = s->tid = s->before = NULL;
    s->edges.len = s->uses.len = 0;
}

void rcp_saturation_finish(rcp_saturation *s) {
    clear(s);
    rcp_vec_finish(&s->edges);
    rcp_vec_finish(&s->uses);
}

static uint32_t node_of(const rcp_saturation *s, uint64_t eid) {
    const rcp_trace *trace = s->cone->trace;
    return s->first[trace->events.at[eid].tid.v] + trace->position[eid];
}

static uint64_t event_of(const rcp_saturation *s, uint32_t node) {
    return rcp_cone_event(s->cone, s->tid[node], node - s->first[s->tid[node]]).v;
}

/* Does `from` come before `to`? */
static bool precedes(const rcp_saturation *s, uint32_t from, uint32_t to) {
    uint32_t t = s->tid[from];
    return s->before[to * s->threads + t] > from - s->first[t];
}

static bool add(rcp_saturation *s, uint32_t from, uint32_t to) {
    if (from != to && precedes(s, from, to) && !precedes(s, to, from))
        return false;
    rcp_vec_push(&s->edges, ((rcp_saturation_edge){from, to}));
    return true;
}

static int by_target(const void *a, const void *b) {
    const rcp_saturation_edge *one = a, *other = b;
    return (one->to > other->to) - (one->to < other->to);
}

/* Raises the clocks until they are closed; false: something comes before itself. */
static bool propagate(rcp_saturation *s) {
    if (s->edges.len)
        qsort(s->edges.at, s->edges.len, sizeof *s->edges.at, by_target);
    for (bool news = true; news;) {
        news = false;
        size_t e = 0;
        for (uint32_t v = 0; v < s->n; v++) {
            uint32_t *mine = s->before + v * s->threads, t = s->tid[v], own = v - s->first[t] + 1;
            const uint32_t *previous = v > s->first[t] ? mine - s->threads : NULL;
            for (size_t u = 0; previous && u < s->threads; u++)
                if (u != t && previous[u] > mine[u]) {
                    mine[u] = previous[u];
                    news = true;
                }
            for (; e < s->edges.len && s->edges.at[e].to == v; e++) {
                const uint32_t *from = s->before + s->edges.at[e].from * s->threads;
                for (size_t u = 0; u < s->threads; u++)
                    if (from[u] > mine[u]) {
                        mine[u] = from[u];
                        news = true;
                    }
            }
            if (mine[t] > own) {
                snprintf(s->cone->why, sizeof s->cone->why,
                         "event %llu would have to come before itself: locks and last writers leave no order",
                         (unsigned long long)event_of(s, v));
                return !(s->cone->refuted = true);
            }
        }
        s->cone->work += s->n;
    }
    return true;
}

static int by_byte(const void *a, const void *b) {
    const rcp_saturation_use *one = a, *other = b;
    if (one->byte != other->byte)
        return one->byte < other->byte ? -1 : 1;
    return (one->node > other->node) - (one->node < other->node);
}

/* Writes and causal reads, byte by byte. */
static void add_uses(rcp_saturation *s, uint32_t node) {
    const rcp_cone *c = s->cone;
    uint64_t eid = event_of(s, node), upto;
    const rcp_event *e = &c->trace->events.at[eid];
    bool causal = rcp_event_reads(e) && rcp_map_get(&c->causal_reads, eid) != RCP_MAP_NONE;
    if (!rcp_event_is_access(e) || e->size > 64)
        return;
    for (uint64_t at = e->addr; at < e->addr + e->size; at++) {
        rcp_saturation_use use = {.byte = at, .node = node};
        use.life = rcp_observed_life(c->observed, (rcp_eid){eid}, at, &upto);
        if (causal) {
            uint32_t writer = rcp_observed_writer(c->observed, (rcp_eid){eid}, at, &upto);
            use.writer = writer ? node_of(s, writer - 1) + 1 : 0;
            rcp_vec_push(&s->uses, use);
            if (writer)
                add(s, use.writer - 1, node);
        }
        if (rcp_event_writes(e)) {
            use.writes = true;
            rcp_vec_push(&s->uses, use);
        }
    }
}

/* Where event `eid` has a byte of a life that `end` ends. */
static bool lives_until(const rcp_cone *c, uint64_t eid, uint64_t end) {
    const rcp_event *e = &c->trace->events.at[eid], *f = &c->trace->events.at[end];
    uint64_t at = e->addr > f->addr ? e->addr : f->addr, upto, until;
    uint64_t hi = e->addr + rcp_event_extent(e), last = f->addr + rcp_event_extent(f);
    for (hi = hi < last ? hi : last; at < hi; at = upto < until ? upto : until)
        if (rcp_observed_life(c->observed, (rcp_eid){eid}, at, &upto) ==
            rcp_observed_life(c->observed, (rcp_eid){end}, at, &until))
            return true;
    return false;
}

static bool names(const rcp_event *e, uint32_t object) {
    uint32_t uses = rcp_event_traits(e->kind)->uses;
    return (uses & RCP_USES_OBJECT && e->object.v == object) || (uses & RCP_USES_LOCK && e->lock.v == object);
}

/* A DESTROY comes after all that names the object. */
static void add_destroy(rcp_saturation *s, uint32_t node) {
    const rcp_trace *trace = s->cone->trace;
    const rcp_event *e = &trace->events.at[event_of(s, node)];
    for (uint32_t v = 0; e->kind == RCP_DESTROY && v < s->n; v++)
        if (v != node && names(&trace->events.at[event_of(s, v)], e->object.v))
            add(s, v, node);
}

/* An ALLOC or FREE comes after all that uses the lives which it ends. */
static void add_life(rcp_saturation *s, uint32_t node) {
    rcp_cone *c = s->cone;
    uint64_t end = event_of(s, node);
    if (c->trace->events.at[end].kind != RCP_ALLOC && c->trace->events.at[end].kind != RCP_FREE)
        return;
    for (uint32_t v = 0; v < s->n; v++)
        if (v != node && rcp_event_extent(&c->trace->events.at[event_of(s, v)]) && lives_until(c, event_of(s, v), end))
            add(s, v, node);
    for (int k = 0; k < 2; k++)
        if (lives_until(c, c->race[k].v, end) && !c->refuted) {
            c->refuted = true;
            snprintf(c->why, sizeof c->why, "event %llu ends the life of the memory that event %llu accesses",
                     (unsigned long long)end, (unsigned long long)c->race[k].v);
        }
}

/* P3: who knows the time comes before what was recorded later and can't come before its time; of each other thread the
 * first such is enough. */
static void add_time(rcp_saturation *s, uint32_t node) {
    const rcp_observed *o = s->cone->observed;
    const rcp_point *point = rcp_observed_point(o, (rcp_eid){event_of(s, node)});
    if (!point || !(point->timing & RCP_TIMING_NOT_AFTER))
        return;
    uint8_t *has = rcp_alloc_zero(s->threads + 1, 1);
    size_t left = s->threads;
    for (size_t i = (size_t)(point - o->points.at) + 1; left > 1 && i < o->points.len; i++) {
        uint32_t tid = s->cone->trace->events.at[o->points.at[i].event].tid.v;
        if (tid == s->tid[node] || has[tid] || !(o->points.at[i].timing & RCP_TIMING_NOT_BEFORE))
            continue;
        has[tid] = 1;
        left--;
        if (s->cone->trace->position[o->points.at[i].event] < s->cone->need[tid])
            add(s, node, node_of(s, o->points.at[i].event));
    }
    rcp_release(has);
}

static void build(rcp_saturation *s) {
    rcp_cone *c = s->cone;
    size_t threads = s->threads = c->trace->defs.threads.len;
    clear(s);
    s->first = rcp_alloc_zero(threads + 1, sizeof *s->first);
    for (size_t t = 0; t < threads; t++)
        s->first[t + 1] = s->first[t] + c->need[t];
    s->n = s->first[threads];
    s->tid = rcp_alloc_zero(s->n + 1, sizeof *s->tid);
    s->before = rcp_alloc_zero(s->n * threads + 1, sizeof *s->before);
    for (uint32_t t = 0; t < threads; t++)
        for (uint32_t v = s->first[t]; v < s->first[t + 1]; v++) {
            s->tid[v] = t;
            s->before[v * threads + t] = v - s->first[t] + 1;
        }
    const rcp_order_graph *g = c->graph;
    for (uint32_t v = 0; v < s->n; v++)
        for (size_t i = rcp_order_graph_find(g, event_of(s, v));
             i < g->edges.len && g->edges.at[i].to == event_of(s, v); i++)
            add(s, s->first[g->edges.at[i].tid] + g->edges.at[i].count - 1, v);
    for (size_t t = 0; t < threads; t++) {
        uint64_t fork = c->observed->fork[t];
        if (fork != UINT64_MAX && c->need[t])
            add(s, node_of(s, fork), s->first[t]);
    }
    for (uint32_t v = 0; v < s->n; v++) {
        add_uses(s, v);
        add_life(s, v);
        add_destroy(s, v);
        add_time(s, v);
    }
    if (s->uses.len)
        qsort(s->uses.at, s->uses.len, sizeof *s->uses.at, by_byte);
}

/* Sections a and b exclude each other. */
static bool order_sections(rcp_saturation *s, const rcp_cone_section *a, const rcp_cone_section *b, bool *grown) {
    rcp_cone *c = s->cone;
    uint32_t begin_a = s->first[a->tid] + a->acquired, begin_b = s->first[b->tid] + b->acquired;
    bool open_a = a->released == RCP_OPEN, open_b = b->released == RCP_OPEN;
    uint32_t end_b = open_b ? begin_b : s->first[b->tid] + b->released;
    bool a_first = precedes(s, begin_a, end_b) || (rcp_cone_encloses_race(c, b) && !rcp_cone_encloses_race(c, a));
    if (!a_first)
        return false;
    if (!open_a)
        return add(s, s->first[a->tid] + a->released, begin_b);
    /* it has to end, and the cone does not have its end */
    uint32_t len = (uint32_t)rcp_trace_thread_len(c->trace, (rcp_tid){a->tid});
    if (c->need[a->tid] >= len || rcp_cone_encloses_race(c, a)) {
        c->refuted = true;
        snprintf(c->why, sizeof c->why, "a critical section has to end before another, and can't");
        return false;
    }
    rcp_cone_need(c, a->tid, c->need[a->tid] + 1);
    *grown = true;
    return true;
}

static bool order_uses(rcp_saturation *s, const rcp_saturation_use *read, const rcp_saturation_use *write) {
    if (read->node == write->node || read->life != write->life || read->writer == write->node + 1)
        return false;
    if (!read->writer)
        return add(s, read->node, write->node);
    bool news = false;
    if (precedes(s, write->node, read->node))
        news |= add(s, write->node, read->writer - 1);
    if (precedes(s, read->writer - 1, write->node))
        news |= add(s, read->node, write->node);
    return news;
}

/* What one look over all pairs adds. */
static bool look(rcp_saturation *s, bool *grown) {
    rcp_cone *c = s->cone;
    bool news = false;
    for (size_t i = 0; i < c->sections.len && !c->refuted && !*grown; i++)
        for (size_t j = 0; j < c->sections.len && !c->refuted && !*grown; j++) {
            const rcp_cone_section *a = &c->sections.at[i], *b = &c->sections.at[j];
            if (a->lock == b->lock && a->tid != b->tid && !(a->mode == RCP_SHARED && b->mode == RCP_SHARED))
                news |= order_sections(s, a, b, grown);
        }
    for (size_t i = 0; i < s->uses.len && !c->refuted && !*grown; i++)
        for (size_t j = i; !s->uses.at[i].writes && j-- > 0 && s->uses.at[j].byte == s->uses.at[i].byte;)
            news |= s->uses.at[j].writes && order_uses(s, &s->uses.at[i], &s->uses.at[j]);
    for (size_t i = 0; i < s->uses.len && !c->refuted && !*grown; i++)
        for (size_t j = i + 1; !s->uses.at[i].writes && j < s->uses.len && s->uses.at[j].byte == s->uses.at[i].byte;
             j++)
            news |= s->uses.at[j].writes && order_uses(s, &s->uses.at[i], &s->uses.at[j]);
    return news;
}

bool rcp_saturation_run(rcp_saturation *s) {
    for (bool grown = true; grown;) {
        grown = false;
        if (!rcp_cone_close(s->cone))
            return false;
        uint64_t events = 0;
        for (size_t t = 0; t < s->cone->trace->defs.threads.len; t++)
            events += s->cone->need[t];
        if (events > rcp_limit(RCP_LIMIT_SATURATION_EVENTS))
            return true;
        build(s);
        if (s->cone->refuted)
            return false;
        do {
            if (!propagate(s))
                return false;
        } while (look(s, &grown) && !grown && !s->cone->refuted);
        if (s->cone->refuted)
            return false;
    }
    return true;
}
