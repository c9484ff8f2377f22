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

/* Of each term: its form and its constants, whatever reads are below it. Arguments come before their users. */
static uint64_t *take_forms(const rcp_terms *terms) {
    uint64_t *forms = rcp_alloc((terms->nodes.len + 1) * sizeof *forms);
    for (size_t i = 0; i < terms->nodes.len; i++) {
        const rcp_term_node *n = &terms->nodes.at[i];
        const uint8_t arity = rcp_op_borrow_traits((rcp_op)n->op)->arity;
        const uint64_t own = n->op == RCP_OP_CONST     ? n->word
                             : n->op == RCP_OP_READ    ? n->a
                             : n->op == RCP_OP_EXTRACT ? n->b
                                                       : 0;
        uint64_t h = rcp_hash_join(rcp_hash_join(n->op, n->width), own);
        for (unsigned k = 0; k < arity; k++) {
            const uint32_t argument = k == 0 ? n->a : k == 1 ? n->b : n->c;
            h = rcp_hash_join(h, argument >= RCP_TERM_FIRST ? forms[argument - RCP_TERM_FIRST] : argument);
        }
        forms[i] = h;
    }
    return forms;
}

static rcp_decision decide(const rcp_trace *trace, const uint64_t *points, const uint64_t *forms, uint32_t event) {
    const rcp_event *e = &trace->events.at[event];
    const bool swaps = is_swap(e), is_by_address = rcp_event_is_access(e) && e->addr_term.v != RCP_TERM_CONST.v;
    uint64_t side = e->kind == RCP_BRANCH ? e->value
                    : swaps               ? e->kind == RCP_RMW
                    : is_by_address       ? e->addr
                                          : e->outcome;
    uint64_t way = side;
    if (rcp_decisions_is_twofold(trace, e) && rcp_term_is_real(e->cond))
        way = rcp_hash_join(side, forms[e->cond.v - RCP_TERM_FIRST]);
    if (swaps && is_by_address)
        way = rcp_hash_join(way, e->addr);
    return (rcp_decision){rcp_hash_join(points[e->loc.v], swaps ? RCP_KINDS : e->kind), side, way, event};
}

void rcp_decisions_take(rcp_decisions *decisions, const rcp_trace *trace) {
    RCP_VEC(uint64_t) points = {0};
    uint64_t *forms = take_forms(&trace->terms);
    *decisions = (rcp_decisions){.number = 0};
    for (uint32_t i = 0; i < trace->defs.locations.len; i++)
        rcp_vec_push(&points, rcp_point_of_location(&trace->defs, (rcp_loc){i}));
    for (uint32_t t = 0; t < trace->defs.threads.len; t++) {
        const char *name = rcp_defs_borrow_string(&trace->defs, trace->defs.threads.at[t].name);
        rcp_vec_push(&decisions->threads, ((rcp_decisions_thread){.name = rcp_hash_bytes(name, strlen(name))}));
    }
    for (uint32_t i = 0; i < trace->events.len; i++)
        if (is_decision(&trace->events.at[i]))
            rcp_vec_push(&decisions->threads.at[trace->events.at[i].tid.v].at, decide(trace, points.at, forms, i));
    for (size_t t = 0; t < decisions->threads.len; t++) {
        const rcp_decisions_thread *thread = &decisions->threads.at[t];
        uint64_t h = thread->name;
        for (size_t i = 0; i < thread->at.len; i++)
            h = rcp_hash_join(rcp_hash_join(h, thread->at.at[i].place), thread->at.at[i].way);
        decisions->number += rcp_hash_u64(h); /* their order may differ */
    }
    rcp_vec_finish(&points);
    rcp_release(forms);
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

void rcp_decisions_part(const rcp_decisions *decisions, uint32_t but, const rcp_decisions *other,
                        rcp_decisions_events *events) {
    for (uint32_t t = 0; t < decisions->threads.len; t++) {
        const rcp_decisions_thread *mine = &decisions->threads.at[t];
        size_t n = t == but ? mine->at.len : count_common(mine, find_thread(other, mine->name), mine->at.len);
        if (n < mine->at.len)
            rcp_vec_push(events, mine->at.at[n].event);
    }
}
