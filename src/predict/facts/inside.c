/* SPDX-License-Identifier: Apache-2.0 */
#include "predict/facts/inside.h"

#include "base/hash.h"
#include "base/ranges.h"

#define NONE UINT32_MAX

/* The last call of its sort. */
typedef struct call {
    uint32_t begin, end; /* NONE: it has not ended */
    uint32_t situation, times;
} call;

struct rcp_inside {
    const rcp_run_facts *f;
    const rcp_must *order;
    rcp_holding *holding;
    rcp_ranges seen; /* by others than the process */
    rcp_map call_at; /* hash of its sort → calls */
    RCP_VEC(call) calls;
    RCP_VEC(uint32_t) open; /* of these */
    uint32_t latest;        /* the call that rcp_inside_call() spoke of */
    rcp_map counted;        /* hash of function and place → 1 */
    rcp_inside_counts counts;
};

rcp_inside *rcp_inside_create(const rcp_run_facts *facts, const rcp_must *order, rcp_holding *holding) {
    rcp_inside *x = rcp_alloc_zero(1, sizeof *x);
    *x = (rcp_inside){.f = facts, .order = order, .holding = holding, .latest = NONE};
    rcp_map_init(&x->call_at);
    rcp_map_init(&x->counted);
    rcp_ranges_init(&x->seen);
    rcp_span span;
    for (const char *at = NULL; rcp_defs_next_span(&facts->trace->defs, "seen", &at, &span);)
        rcp_ranges_set(&x->seen, span.lo, span.hi, 1);
    return x;
}

void rcp_inside_destroy(rcp_inside *x, rcp_inside_counts *counts) {
    if (!x)
        return;
    if (counts)
        *counts = x->counts;
    else
        rcp_vec_finish(&x->counts);
    rcp_ranges_finish(&x->seen);
    rcp_map_finish(&x->call_at);
    rcp_map_finish(&x->counted);
    rcp_vec_finish(&x->calls);
    rcp_vec_finish(&x->open);
    rcp_release(x);
}

static const rcp_event *event_at(const rcp_inside *x, uint32_t event) { return rcp_run_facts_event(x->f, event); }

static uint32_t find_call(rcp_inside *x, const rcp_event *e, uint32_t situation) {
    const uint64_t sort[] = {e->tid.v, e->callee.v, e->reach.v, situation};
    uint32_t *known = rcp_map_at(&x->call_at, rcp_hash_bytes(sort, sizeof sort));
    if (*known == RCP_MAP_NONE) {
        *known = (uint32_t)x->calls.len;
        rcp_vec_push(&x->calls, (call){0});
    }
    return *known;
}

bool rcp_inside_call(rcp_inside *x, uint32_t event, uint32_t situation) {
    const rcp_event *e = event_at(x, event);
    x->latest = NONE;
    if (e->kind == RCP_OPAQUE_END) {
        for (size_t i = x->open.len; i-- > 0;)
            if (event_at(x, x->calls.at[x->open.at[i]].begin)->tid.v == e->tid.v) {
                x->calls.at[x->open.at[i]].end = event;
                x->open.at[i] = x->open.at[--x->open.len];
                break;
            }
        return false;
    }
    uint32_t i = find_call(x, e, situation);
    call *c = &x->calls.at[i];
    *c = (call){.begin = event, .end = NONE, .situation = situation, .times = c->times + 1};
    rcp_vec_push(&x->open, i);
    bool is_compared = c->times < 4 || !(c->times & (c->times - 1));
    x->latest = is_compared ? i : NONE;
    return is_compared;
}

/* Does the read show that code outside wrote there: has whoever wrote last, as far as events go, left something else?
 */
static bool shows_write(const rcp_inside *x, uint32_t read) {
    const rcp_event *e = event_at(x, read);
    uint64_t upto;
    uint32_t writer = rcp_observed_writer(&x->f->observed, (rcp_eid){read}, e->addr, &upto);
    if (!writer || !e->valued || !rcp_event_is_opaque(event_at(x, writer - 1)))
        return false;
    uint32_t life = rcp_observed_life(&x->f->observed, (rcp_eid){read}, e->addr, &upto);
    for (uint64_t at = e->addr; at < e->addr + e->size; at++) {
        uint32_t plain = rcp_run_facts_plain_writer_before(x->f, at, life, read);
        const rcp_event *w = plain ? event_at(x, plain - 1) : NULL;
        uint8_t byte = 0;
        if (w ? !w->valued : life || !rcp_observed_initial(&x->f->observed, at, &byte))
            continue; /* what was there is not known */
        if ((w ? rcp_event_written(w)[at - w->addr] : byte) != rcp_event_bytes(e)[at - e->addr])
            return true;
    }
    return false;
}

static bool is_seen(const rcp_inside *x, const rcp_event *e) {
    rcp_range span;
    return x->seen.live && rcp_ranges_next(&x->seen, e->addr, &span) && span.lo < e->addr + rcp_event_extent(e);
}

/* Is the memory still what it was when the access was made, or when the call was? */
static bool is_one_life(const rcp_inside *x, const rcp_event *e, uint32_t access, uint32_t begin) {
    uint64_t upto;
    uint32_t life = rcp_observed_life(&x->f->observed, (rcp_eid){access}, e->addr, &upto);
    uint32_t end = rcp_run_facts_life_end(x->f, life, e->addr, e->addr + 1, &upto);
    return (!life || begin >= life) && (end == RCP_NO_EVENT || begin < end);
}

static void compare(rcp_inside *x, const call *c, uint32_t access, uint32_t situation) {
    const rcp_event *b = event_at(x, c->begin), *e = event_at(x, access);
    if (b->tid.v == e->tid.v ||
        !rcp_defs_reach_holds(&x->f->trace->defs, b->reach, e->addr, e->addr + rcp_event_extent(e)))
        return;
    const uint64_t what[] = {b->callee.v, e->loc.v ? e->loc.v : e->addr | UINT64_C(1) << 63, e->kind};
    uint32_t *counted = rcp_map_at(&x->counted, rcp_hash_bytes(what, sizeof what));
    if (*counted != RCP_MAP_NONE)
        return;
    bool is_ordered = access < c->begin ? rcp_must_order(x->order, access, c->begin)
                                        : c->end != NONE && rcp_must_order(x->order, c->end, access);
    if (is_ordered || is_seen(x, e) || rcp_holding_meet(x->holding, situation, c->situation) != RCP_CAN_MEET ||
        !is_one_life(x, e, access, c->begin) || !(rcp_event_writes(e) || shows_write(x, access)))
        return;
    *counted = 1;
    size_t i = 0;
    while (i < x->counts.len && x->counts.at[i].callee.v != b->callee.v)
        i++;
    if (i == x->counts.len)
        rcp_vec_push(&x->counts, ((rcp_inside_count){b->callee, 0}));
    x->counts.at[i].places++;
}

void rcp_inside_earlier(rcp_inside *x, uint32_t access, uint32_t situation) {
    if (x->latest != NONE)
        compare(x, &x->calls.at[x->latest], access, situation);
}

void rcp_inside_later(rcp_inside *x, uint32_t access, uint32_t situation) {
    for (size_t i = 0; i < x->calls.len; i++)
        compare(x, &x->calls.at[i], access, situation);
}
