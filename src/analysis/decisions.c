/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/decisions.h"

#include "analysis/points.h"
#include "base/hash.h"

#include <string.h>

/* A compare-and-swap is a READ where it failed. */
static bool is_swap(const rcp_event *e) { return rcp_event_is_access(e) && rcp_term_is_real(e->cond); }

static bool is_decision(const rcp_event *e) {
    switch ((rcp_kind)e->kind) {
    case RCP_BRANCH: return e->cond.v != RCP_TERM_CONST.v;
    case RCP_READ:
    case RCP_WRITE:
    case RCP_RMW: return is_swap(e) || e->addr_term.v != RCP_TERM_CONST.v;
    case RCP_FENCE: /* told of what is shared, and that is found out by the run */
    case RCP_ALLOC:
    case RCP_FREE:
    case RCP_INIT:
    case RCP_DESTROY: return false;
    default: return true;
    }
}

/* What an access is to have as its address; a branch keeps one that no event has, because nobody else is there. In
 * another run somebody may be. */
static bool is_address(const rcp_trace *trace, const rcp_event *e) {
    enum { WIDTH = 64 };
    return rcp_event_is_access(e) ? !is_swap(e)
                                  : e->kind == RCP_BRANCH && e->valued && rcp_term_is_real(e->cond) &&
                                        rcp_term_borrow(&trace->terms, e->cond)->width == WIDTH;
}

/* Beside the kinds of events. */
enum { SWAPS = RCP_KINDS, ADDRESSES };

/* What the condition is compared with, where it holds. Not what is compared: of that, what nobody else has written in
 * this run is a constant, and may be a read in another one. */
static bool is_equal(const rcp_trace *trace, const rcp_event *e, uint64_t *to) {
    const rcp_term_node *n = e->value ? rcp_term_borrow(&trace->terms, e->cond) : NULL;
    for (unsigned k = 0; n && n->op == RCP_OP_EQ && k < 2; k++) {
        const rcp_term_node *argument = rcp_term_borrow(&trace->terms, (rcp_term){k ? n->b : n->a});
        *to = argument->op == RCP_OP_CONST ? argument->word : *to;
        if (argument->op == RCP_OP_CONST)
            return true;
    }
    return false;
}

static rcp_decision decide(const rcp_trace *trace, const uint64_t *points, uint32_t event) {
    const rcp_event *e = &trace->events.at[event];
    const bool swaps = is_swap(e), is_by_address = rcp_event_is_access(e) && e->addr_term.v != RCP_TERM_CONST.v;
    const uint64_t kind = swaps ? SWAPS : is_address(trace, e) ? ADDRESSES : e->kind;
    uint64_t side = e->kind == RCP_BRANCH ? e->value
                    : swaps               ? e->kind == RCP_RMW
                    : is_by_address       ? e->addr
                                          : e->outcome;
    uint64_t value = side;
    if (e->kind == RCP_BRANCH && rcp_term_is_real(e->cond) && rcp_decisions_is_twofold(trace, e))
        (void)is_equal(trace, e, &value);
    uint64_t way = rcp_hash_join(side, value);
    if (swaps && is_by_address)
        way = rcp_hash_join(way, e->addr);
    return (rcp_decision){rcp_hash_join(points[e->loc.v], kind), side, value, way, event};
}

void rcp_decisions_take(rcp_decisions *decisions, const rcp_trace *trace) {
    RCP_VEC(uint64_t) points = {0};
    *decisions = (rcp_decisions){.number = 0};
    for (uint32_t i = 0; i < trace->defs.locations.len; i++)
        rcp_vec_push(&points, rcp_point_of_location(&trace->defs, (rcp_loc){i}));
    for (uint32_t t = 0; t < trace->defs.threads.len; t++) {
        const char *name = rcp_defs_borrow_string(&trace->defs, trace->defs.threads.at[t].name);
        rcp_vec_push(&decisions->threads, ((rcp_decisions_thread){.name = rcp_hash_bytes(name, strlen(name))}));
    }
    for (uint32_t i = 0; i < trace->events.len; i++)
        if (is_decision(&trace->events.at[i]))
            rcp_vec_push(&decisions->threads.at[trace->events.at[i].tid.v].at, decide(trace, points.at, i));
    for (size_t t = 0; t < decisions->threads.len; t++) {
        const rcp_decisions_thread *thread = &decisions->threads.at[t];
        uint64_t h = thread->name;
        for (size_t i = 0; i < thread->at.len; i++)
            h = rcp_hash_join(rcp_hash_join(h, thread->at.at[i].place), thread->at.at[i].way);
        decisions->number += rcp_hash_u64(h); /* their order may differ */
    }
    rcp_vec_finish(&points);
}

void rcp_decisions_finish(rcp_decisions *decisions) {
    for (size_t t = 0; t < decisions->threads.len; t++)
        rcp_vec_finish(&decisions->threads.at[t].at);
    rcp_vec_finish(&decisions->threads);
}

bool rcp_decisions_is_twofold(const rcp_trace *trace, const rcp_event *e) {
    return e->kind == RCP_BRANCH ? !rcp_term_is_real(e->cond) || rcp_term_borrow(&trace->terms, e->cond)->width == 1
                                 : is_swap(e) || !rcp_event_is_access(e);
}

rcp_decisions_place rcp_decisions_find(const rcp_decisions *decisions, const rcp_trace *trace, uint32_t event) {
    const uint32_t tid = trace->events.at[event].tid.v;
    const rcp_decisions_thread *thread = &decisions->threads.at[tid];
    size_t low = 0, high = thread->at.len;
    while (low + 1 < high) {
        size_t middle = low + (high - low) / 2;
        *(thread->at.at[middle].event <= event ? &low : &high) = middle;
    }
    RCP_CHECK(low < thread->at.len && thread->at.at[low].event == event);
    return (rcp_decisions_place){tid, low};
}

static const rcp_decisions_thread *find_thread(const rcp_decisions *decisions, uint64_t name) {
    for (size_t t = 0; t < decisions->threads.len; t++)
        if (decisions->threads.at[t].name == name)
            return &decisions->threads.at[t];
    return NULL;
}

/* So many of their first decisions are the same, of `most`. */
static size_t count_common(const rcp_decisions_thread *a, const rcp_decisions_thread *b, size_t most) {
    size_t n = 0;
    while (n < most && n < a->at.len && b && n < b->at.len && a->at.at[n].place == b->at.at[n].place &&
           a->at.at[n].way == b->at.at[n].way)
        n++;
    return n;
}

const rcp_decision *rcp_decisions_borrow_other(const rcp_decisions *decisions, rcp_decisions_place place,
                                               const rcp_decisions *other) {
    const rcp_decisions_thread *mine = &decisions->threads.at[place.tid], *its = find_thread(other, mine->name);
    bool is_there = its && its->at.len > place.at && its->at.at[place.at].place == mine->at.at[place.at].place &&
                    count_common(mine, its, place.at) == place.at;
    return is_there ? &its->at.at[place.at] : NULL;
}

bool rcp_decisions_are_part(const rcp_decisions *decisions, const rcp_decisions *other) {
    bool is_more = false;
    for (size_t t = 0; t < decisions->threads.len; t++) {
        const rcp_decisions_thread *mine = &decisions->threads.at[t], *its = find_thread(other, mine->name);
        if (count_common(mine, its, mine->at.len) < mine->at.len)
            return false;
        is_more |= its && its->at.len > mine->at.len;
    }
    return is_more || other->threads.len > decisions->threads.len;
}

void rcp_decisions_part(const rcp_decisions *decisions, uint32_t but, const rcp_decisions *other,
                        rcp_decisions_events *events) {
    for (uint32_t t = 0; t < decisions->threads.len; t++) {
        const rcp_decisions_thread *mine = &decisions->threads.at[t];
        size_t n = t == but ? mine->at.len : count_common(mine, find_thread(other, mine->name), mine->at.len);
        if (n < mine->at.len)
            rcp_vec_push(events, mine->at.at[n].event);
    }
}
