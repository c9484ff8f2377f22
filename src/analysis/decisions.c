/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/decisions.h"

#include "analysis/messages.h"
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

/* The words of memory below a term, where they are few. */
enum { WORD = 4, FEW = 3, MANY = FEW + 1 };
typedef struct words {
    uint64_t at[FEW];
    uint32_t n; /* MANY: nobody has counted them */
} words;

static void add_word(words *to, uint64_t word) {
    for (uint32_t i = 0; i < to->n && to->n <= FEW; i++)
        if (to->at[i] == word)
            return;
    if (to->n < FEW)
        to->at[to->n] = word;
    to->n = to->n < FEW ? to->n + 1 : MANY;
}

static words words_of(const rcp_trace *trace, const words *below, const rcp_term_node *node) {
    words w = {.n = 0};
    if (node->op == RCP_OP_READ) {
        const rcp_event *e = &trace->events.at[node->word];
        for (uint64_t word = e->addr / WORD; word * WORD < e->addr + e->size && w.n <= FEW; word++)
            add_word(&w, word);
        return w;
    }
    for (unsigned k = 0; k < rcp_op_borrow_traits((rcp_op)node->op)->arity; k++) {
        const uint32_t argument = k == 0 ? node->a : k == 1 ? node->b : node->c;
        const words *more = argument >= RCP_TERM_FIRST ? &below[argument - RCP_TERM_FIRST] : NULL;
        for (uint32_t i = 0; more && i < more->n && more->n <= FEW; i++)
            add_word(&w, more->at[i]);
        if (more && more->n == MANY)
            w.n = MANY;
        if (w.n == MANY)
            break;
    }
    return w;
}

/* Of each term. Arguments come before their users. */
static words *take_words(const rcp_trace *trace) {
    const rcp_terms *terms = &trace->terms;
    words *below = rcp_alloc((terms->nodes.len + 1) * sizeof *below);
    for (size_t i = 0; i < terms->nodes.len; i++)
        below[i] = words_of(trace, below, &terms->nodes.at[i]);
    return below;
}

static uint32_t note_words(rcp_decisions *decisions, const words *below, rcp_term term) {
    const words *w = rcp_term_is_real(term) ? &below[term.v - RCP_TERM_FIRST] : NULL;
    const uint32_t n = w && w->n <= FEW ? w->n : 0;
    for (uint32_t i = 0; i < n; i++)
        rcp_vec_push(&decisions->words, w->at[i]);
    return n;
}

static rcp_decision decide(rcp_decisions *decisions, rcp_messages_follower *messages, const uint64_t *points,
                           const words *below, uint32_t event) {
    const rcp_trace *trace = messages->trace;
    const rcp_event *e = &trace->events.at[event];
    uint64_t after;
    const bool swaps = is_swap(e), is_by_address = rcp_event_is_access(e) && e->addr_term.v != RCP_TERM_CONST.v;
    const uint64_t kind = swaps ? SWAPS : is_address(trace, e) ? ADDRESSES : e->kind;
    uint64_t side = rcp_messages_follow(messages, e, &after) ? after
                    : e->kind == RCP_BRANCH                  ? e->value
                    : swaps                                  ? e->kind == RCP_RMW
                    : is_by_address                          ? e->addr
                                                             : e->outcome;
    uint64_t value = side;
    if (e->kind == RCP_BRANCH && rcp_term_is_real(e->cond) && rcp_decisions_is_twofold(trace, e))
        (void)is_equal(trace, e, &value);
    uint64_t way = rcp_hash_join(side, value);
    if (swaps && is_by_address)
        way = rcp_hash_join(way, e->addr);
    /* a compare-and-swap is told where it is shared alone, and then it is a decision */
    const uint32_t first = (uint32_t)decisions->words.len,
                   n = e->kind == RCP_BRANCH     ? note_words(decisions, below, e->cond)
                       : is_by_address && !swaps ? note_words(decisions, below, e->addr_term)
                                                 : 0;
    return (rcp_decision){rcp_hash_join(points[e->loc.v], kind), side, value, way, event, first, n};
}

void rcp_decisions_take(rcp_decisions *decisions, const rcp_trace *trace) {
    RCP_VEC(uint64_t) points = {0};
    words *below = take_words(trace);
    rcp_messages_follower messages;
    *decisions = (rcp_decisions){.number = 0};
    rcp_messages_follower_init(&messages, trace);
    rcp_map_init(&decisions->told);
    for (uint32_t i = 0; i < trace->defs.locations.len; i++)
        rcp_vec_push(&points, rcp_point_of_location(&trace->defs, (rcp_loc){i}));
    for (uint32_t t = 0; t < trace->defs.threads.len; t++) {
        const char *name = rcp_defs_borrow_string(&trace->defs, trace->defs.threads.at[t].name);
        rcp_vec_push(&decisions->threads, ((rcp_decisions_thread){.name = rcp_hash_bytes(name, strlen(name))}));
    }
    for (uint32_t i = 0; i < trace->events.len; i++) {
        const rcp_event *e = &trace->events.at[i];
        if (is_decision(e))
            rcp_vec_push(&decisions->threads.at[e->tid.v].at, decide(decisions, &messages, points.at, below, i));
        for (uint64_t word = e->addr / WORD; rcp_event_is_access(e) && word * WORD < e->addr + e->size; word++)
            rcp_map_set(&decisions->told, word, 1);
    }
    for (size_t t = 0; t < decisions->threads.len; t++) {
        const rcp_decisions_thread *thread = &decisions->threads.at[t];
        uint64_t h = thread->name;
        for (size_t i = 0; i < thread->at.len; i++)
            h = rcp_hash_join(rcp_hash_join(h, thread->at.at[i].place), thread->at.at[i].way);
        decisions->number += rcp_hash_u64(h); /* their order may differ */
    }
    rcp_messages_follower_finish(&messages);
    rcp_vec_finish(&points);
    rcp_release(below);
}

void rcp_decisions_finish(rcp_decisions *decisions) {
    for (size_t t = 0; t < decisions->threads.len; t++)
        rcp_vec_finish(&decisions->threads.at[t].at);
    rcp_vec_finish(&decisions->threads);
    rcp_vec_finish(&decisions->words);
    rcp_map_finish(&decisions->told);
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

/* Two threads of one name, and how far each of them is. */
typedef struct pairing {
    const rcp_decisions *mine, *its;
    const rcp_decisions_thread *my_thread, *its_thread; /* NULL: there is none */
    size_t i, k;
} pairing;

static pairing pair(const rcp_decisions *mine, uint32_t tid, const rcp_decisions *its) {
    return (pairing){mine, its, &mine->threads.at[tid], find_thread(its, mine->threads.at[tid].name), 0, 0};
}

/* Is it none in the other run, which has no access of what it depends on? */
static bool is_untold(const rcp_decisions *own, const rcp_decision *d, const rcp_decisions *in) {
    for (uint32_t i = 0; i < d->reads; i++)
        if (rcp_map_get(&in->told, own->words.at[d->first_read + i]) != RCP_MAP_NONE)
            return false;
    return d->reads;
}

/* To the next that both have, or one of them alone; up to `most` of mine. */
static void pass_over(pairing *p, size_t most) {
    const rcp_decisions_thread *mine = p->my_thread, *its = p->its_thread;
    for (;;) {
        const bool is_mine = p->i < most, is_its = its && p->k < its->at.len;
        if (is_mine && is_its && mine->at.at[p->i].place == its->at.at[p->k].place)
            return;
        if (is_mine && is_untold(p->mine, &mine->at.at[p->i], p->its))
            p->i++;
        else if (is_its && is_untold(p->its, &its->at.at[p->k], p->mine))
            p->k++;
        else
            return;
    }
}

/* As long as they decide the same. */
static void go_together(pairing *p, size_t most) {
    const rcp_decisions_thread *mine = p->my_thread, *its = p->its_thread;
    for (pass_over(p, most); p->i < most && its && p->k < its->at.len; pass_over(p, most)) {
        const rcp_decision *a = &mine->at.at[p->i], *b = &its->at.at[p->k];
        if (a->place != b->place || a->way != b->way)
            return;
        p->i++;
        p->k++;
    }
}

const rcp_decision *rcp_decisions_borrow_other(const rcp_decisions *decisions, rcp_decisions_place place,
                                               const rcp_decisions *other) {
    pairing p = pair(decisions, place.tid, other);
    go_together(&p, place.at);
    if (p.i < place.at)
        return NULL;
    pass_over(&p, place.at + 1);
    const bool is_there = p.i == place.at && p.its_thread && p.k < p.its_thread->at.len &&
                          p.its_thread->at.at[p.k].place == p.my_thread->at.at[p.i].place;
    return is_there ? &p.its_thread->at.at[p.k] : NULL;
}

bool rcp_decisions_overtake(const rcp_decisions *decisions, rcp_decisions_place earlier, rcp_decisions_place later,
                            const rcp_decisions *other) {
    const rcp_decision *its_earlier = rcp_decisions_borrow_other(decisions, earlier, other),
                       *its_later = rcp_decisions_borrow_other(decisions, later, other);
    return its_later &&
           (its_earlier ? its_later->event < its_earlier->event : rcp_decisions_end_at(decisions, earlier, other));
}

bool rcp_decisions_end_at(const rcp_decisions *decisions, rcp_decisions_place place, const rcp_decisions *other) {
    pairing p = pair(decisions, place.tid, other);
    go_together(&p, place.at);
    return p.i == place.at && p.its_thread && p.k == p.its_thread->at.len;
}

bool rcp_decisions_are_part(const rcp_decisions *decisions, const rcp_decisions *other) {
    bool is_more = false;
    for (uint32_t t = 0; t < decisions->threads.len; t++) {
        pairing p = pair(decisions, t, other);
        go_together(&p, p.my_thread->at.len);
        if (p.i < p.my_thread->at.len)
            return false;
        is_more |= p.its_thread && p.k < p.its_thread->at.len;
    }
    return is_more || other->threads.len > decisions->threads.len;
}

void rcp_decisions_part(const rcp_decisions *decisions, uint32_t but, const rcp_decisions *other,
                        rcp_decisions_events *events) {
    for (uint32_t t = 0; t < decisions->threads.len; t++) {
        pairing p = pair(decisions, t, other);
        go_together(&p, t == but ? 0 : p.my_thread->at.len);
        if (t != but && p.i < p.my_thread->at.len)
            rcp_vec_push(events, p.my_thread->at.at[p.i].event);
    }
}
