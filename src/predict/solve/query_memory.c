/* SPDX-License-Identifier: Apache-2.0 */
/* Places: cutting the memory of a slice. */
#include "predict/solve/query.h"

#include "base/limits.h"

#include <stdlib.h>
#include <string.h>

typedef RCP_VEC(uint64_t) addresses;

static int by_address(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static void sort_cuts(addresses *cuts) {
    if (!cuts->len)
        return;
    qsort(cuts->at, cuts->len, sizeof *cuts->at, by_address);
    size_t kept = 1;
    for (size_t i = 1; i < cuts->len; i++)
        if (cuts->at[i] != cuts->at[kept - 1])
            cuts->at[kept++] = cuts->at[i];
    cuts->len = kept;
}

static size_t cut_at(const addresses *cuts, uint64_t address) {
    size_t lo = 0, hi = cuts->len;
    while (lo < hi) {
        size_t middle = lo + (hi - lo) / 2;
        if (cuts->at[middle] < address)
            lo = middle + 1;
        else
            hi = middle;
    }
    return lo;
}

/* Nodes that may touch memory. */
static uint32_t touching(const rcp_query *q) { return q->swap == RCP_NO_EVENT ? q->race : q->n; }

static void collect_cuts(const rcp_query *q, addresses *cuts) {
    for (uint32_t x = 0; x < touching(q); x++) {
        const rcp_event *e = rcp_query_event(q, x);
        if (rcp_event_is_opaque(e)) {
            const rcp_reach_def *reach = &q->facts->trace->defs.reaches.at[e->reach.v];
            for (size_t i = 0; i < reach->n; i++) {
                rcp_vec_push(cuts, reach->spans[i].lo);
                rcp_vec_push(cuts, reach->spans[i].hi);
            }
        }
        if (!rcp_event_is_access(e) || !e->size)
            continue;
        uint64_t hi = e->addr + e->size, upto;
        rcp_vec_push(cuts, e->addr);
        for (uint64_t at = e->addr; at < hi; at = upto) {
            rcp_observed_life(&q->facts->observed, (rcp_eid){q->event[x]}, at, &upto);
            rcp_vec_push(cuts, upto);
        }
        /* whom a read took its bytes from when recorded may stand outside the slice */
        for (uint64_t at = e->addr; rcp_event_reads(e) && at < hi; at = upto) {
            rcp_observed_writer(&q->facts->observed, (rcp_eid){q->event[x]}, at, &upto);
            rcp_vec_push(cuts, upto);
        }
    }
    sort_cuts(cuts);
}

static void make_places(rcp_query *q, const addresses *cuts) {
    rcp_map known; /* cut << 32 | life -> place */
    rcp_map_init(&known);
    q->places.len = q->touched.len = 0;
    for (uint32_t x = 0; x < touching(q); x++) {
        const rcp_event *e = rcp_query_event(q, x);
        q->touches[x] = (rcp_touched){(uint32_t)q->touched.len, 0};
        if (!rcp_event_is_access(e) || !e->size)
            continue;
        uint64_t hi = e->addr + e->size, life_upto = e->addr;
        uint32_t life = 0;
        for (size_t c = cut_at(cuts, e->addr); cuts->at[c] < hi; c++) {
            if (cuts->at[c] >= life_upto)
                life = rcp_observed_life(&q->facts->observed, (rcp_eid){q->event[x]}, cuts->at[c], &life_upto);
            uint32_t *place = rcp_map_at(&known, (uint64_t)c << 32 | life);
            if (*place == RCP_MAP_NONE) {
                *place = (uint32_t)q->places.len;
                rcp_vec_push(&q->places, ((rcp_query_place){.lo = cuts->at[c], .hi = cuts->at[c + 1], .life = life}));
            }
            rcp_vec_push(&q->touched, *place);
            q->touches[x].n++;
        }
    }
    rcp_map_finish(&known);
}

/* Did `source` leave at a place what the read found there? */
static bool has_left(const rcp_query *q, uint32_t read, const rcp_query_place *p, uint32_t source) {
    const rcp_event *e = rcp_run_facts_event(q->facts, read), *w = NULL;
    bool is_zeroed = p->life && rcp_run_facts_event(q->facts, p->life - 1)->outcome == RCP_ZEROED;
    if (source)
        w = rcp_run_facts_event(q->facts, source - 1);
    if (!e->valued || (w && !w->valued))
        return false;
    for (uint64_t at = p->lo; at < p->hi; at++) {
        uint8_t byte = 0;
        if (w && (at < w->addr || at - w->addr >= w->size))
            return false;
        if (w)
            byte = rcp_event_written(w)[at - w->addr];
        else if (p->life ? !is_zeroed : !rcp_observed_initial(&q->facts->observed, at, &byte))
            return false;
        if (byte != rcp_event_bytes(e)[at - e->addr])
            return false;
    }
    return true;
}

uint32_t rcp_query_observed(const rcp_query *q, uint32_t read, const rcp_query_place *p) {
    uint64_t upto;
    uint32_t observed = rcp_observed_writer(&q->facts->observed, (rcp_eid){read}, p->lo, &upto), plain;
    if (!observed || !rcp_query_is_loose(q, RCP_LOOSE_OPAQUE) ||
        !rcp_event_is_opaque(rcp_run_facts_event(q->facts, observed - 1)))
        return observed;
    plain = rcp_run_facts_plain_writer_before(q->facts, p->lo, p->life, read);
    return has_left(q, read, p, plain) ? plain : observed;
}

/* What each place held when the slice began; false where parts of a place had different writers: cut there, too. */
static bool find_bases(rcp_query *q, addresses *cuts) {
    bool whole = true;
    if (!q->slice->start)
        return true;
    for (size_t i = 0; i < q->places.len; i++) {
        rcp_query_place *p = &q->places.at[i];
        uint64_t step = p->hi - p->lo > rcp_limit(RCP_LIMIT_PLACE_BYTES) ? 8 : 1;
        uint32_t before = p->base = rcp_run_facts_writer_before(q->facts, p->lo, p->life, q->slice->start);
        for (uint64_t at = p->lo + step; at < p->hi; at += step) {
            uint32_t now = rcp_run_facts_writer_before(q->facts, at, p->life, q->slice->start);
            if (now == before)
                continue;
            rcp_vec_push(cuts, at);
            whole = false;
            before = now;
        }
    }
    return whole;
}

/* The same without opaque code, but for what reads show that it has left. */
static void find_plain_bases(rcp_query *q) {
    for (size_t i = 0; q->slice->start && i < q->places.len; i++) {
        rcp_query_place *p = &q->places.at[i];
        uint32_t plain = rcp_run_facts_plain_writer_before(q->facts, p->lo, p->life, q->slice->start);
        const rcp_event *w = plain ? rcp_run_facts_event(q->facts, plain - 1) : NULL;
        if (!w || (w->addr <= p->lo && w->addr + w->size >= p->hi))
            p->base = plain;
    }
    for (uint32_t x = 0; q->slice->start && x < q->race; x++)
        for (uint32_t i = 0; rcp_event_reads(rcp_query_event(q, x)) && i < q->touches[x].n; i++) {
            rcp_query_place *p = &q->places.at[q->touched.at[q->touches[x].first + i]];
            uint32_t observed = rcp_query_observed(q, q->event[x], p);
            if (observed > p->base && observed <= q->slice->start)
                p->base = observed;
        }
}

/* Is the opaque event in this life of the place? */
static bool is_in_life(const rcp_query *q, const rcp_query_place *p, uint32_t event) {
    uint64_t upto;
    uint32_t end = rcp_run_facts_life_end(q->facts, p->life, p->lo, p->hi, &upto);
    return event >= p->life && (end == RCP_NO_EVENT || event < end);
}

static void touch_by_opaque(rcp_query *q) {
    for (uint32_t x = 0; x < q->race; x++) {
        const rcp_event *e = rcp_query_event(q, x);
        if (!rcp_event_is_opaque(e))
            continue;
        q->touches[x] = (rcp_touched){(uint32_t)q->touched.len, 0};
        for (uint32_t i = 0; i < q->places.len; i++)
            if (rcp_defs_reach_holds(&q->facts->trace->defs, e->reach, q->places.at[i].lo, q->places.at[i].hi) &&
                is_in_life(q, &q->places.at[i], q->event[x])) {
                rcp_vec_push(&q->touched, i);
                q->touches[x].n++;
            }
    }
}

typedef struct shown {
    uint32_t node, place;
} shown;

static int by_node(const void *a, const void *b) {
    const shown *x = a, *y = b;
    return x->node != y->node ? (x->node > y->node) - (x->node < y->node)
                              : (x->place > y->place) - (x->place < y->place);
}

/* Opaque code touches only what reads show that it has left. */
static void touch_by_shown(rcp_query *q) {
    RCP_VEC(shown) all = {0};
    for (uint32_t x = 0; x < touching(q); x++)
        for (uint32_t i = 0; rcp_event_reads(rcp_query_event(q, x)) && i < q->touches[x].n; i++) {
            uint32_t place = q->touched.at[q->touches[x].first + i];
            uint32_t observed = rcp_query_observed(q, q->event[x], &q->places.at[place]);
            uint32_t node = observed ? rcp_query_node(q, observed - 1) : RCP_NODE_PAST;
            if (node < q->race && rcp_event_is_opaque(rcp_query_event(q, node)))
                rcp_vec_push(&all, ((shown){node, place}));
        }
    if (all.len)
        qsort(all.at, all.len, sizeof *all.at, by_node);
    for (size_t i = 0; i < all.len; i++) {
        rcp_touched *touches = &q->touches[all.at[i].node];
        if (i && !by_node(&all.at[i - 1], &all.at[i]))
            continue;
        if (!i || all.at[i - 1].node != all.at[i].node)
            *touches = (rcp_touched){(uint32_t)q->touched.len, 0};
        rcp_vec_push(&q->touched, all.at[i].place);
        touches->n++;
    }
    rcp_vec_finish(&all);
}

static bool writes(const rcp_event *e) { return rcp_event_writes(e) || rcp_event_is_opaque(e); }

static void list_writers(rcp_query *q) {
    uint32_t total = 0;
    for (int fill = 0; fill < 2; fill++) {
        for (uint32_t x = 0; x < q->race; x++)
            for (uint32_t i = 0; writes(rcp_query_event(q, x)) && i < q->touches[x].n; i++) {
                rcp_query_place *p = &q->places.at[q->touched.at[q->touches[x].first + i]];
                if (fill)
                    q->writers.at[p->first_writer + p->n_writers] = x;
                p->n_writers++;
            }
        for (size_t i = 0; !fill && i < q->places.len; i++) {
            q->places.at[i].first_writer = total;
            total += q->places.at[i].n_writers;
            q->places.at[i].n_writers = 0;
        }
        if (!fill && total)
            (void)rcp_vec_extend(&q->writers, total);
    }
}

void rcp_query_cut_memory(rcp_query *q) {
    addresses cuts = {0};
    q->touches = rcp_alloc_zero(q->n, sizeof *q->touches);
    collect_cuts(q, &cuts);
    make_places(q, &cuts);
    while (!find_bases(q, &cuts)) {
        sort_cuts(&cuts);
        make_places(q, &cuts);
    }
    if (rcp_query_is_loose(q, RCP_LOOSE_OPAQUE)) {
        find_plain_bases(q);
        touch_by_shown(q);
    } else
        touch_by_opaque(q);
    list_writers(q);
    rcp_vec_finish(&cuts);
}
