/* SPDX-License-Identifier: Apache-2.0 */
#include "predict/facts/candidates.h"

#include "base/deadline.h"
#include "base/hash.h"
#include "base/limits.h"
#include "predict/facts/holding.h"
#include "predict/facts/must.h"
#include "trace/check/barriers.h"

#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX

/* The last access of its sort to a word. */
typedef struct touch {
    uint32_t event, before; /* and the one before that; NONE */
    uint32_t situation, next;
    uint32_t after;          /* boldly: the call outside that its thread came out of last, or is in; 0: none */
    uint32_t scans, version; /* how often it was compared with the others, and which those were the last time */
    uint32_t known;          /* touches there were the last time: of any word */
    uint32_t skipped;        /* times since that it was not compared with them */
    bool ordered;            /* the last time some were ruled out by must-happen-before */
} touch;

typedef struct word {
    uint32_t first, n;
    uint32_t latest;  /* the touch that came last */
    uint32_t version; /* goes up with every new touch */
} word;

typedef struct pass {
    rcp_candidates *to;
    const rcp_run_facts *f;
    rcp_holding *holding;
    const rcp_must *must;
    rcp_must *without_opaque; /* where the trace has opaque code */
    rcp_must *bare;           /* the same without what values force */
    rcp_map word_at;
    RCP_VEC(word) words;
    RCP_VEC(touch) touches;
    rcp_map freed;      /* FREE -> its thread's situation */
    rcp_inside *inside; /* where the trace has opaque code */
    uint32_t *call; /* boldly: by thread, the name of the call that it made or came out of last, and which; else NULL */
} pass;

static rcp_pair_side side_of(const rcp_event *e, uint64_t address) {
    return (rcp_pair_side){.place = e->loc.v ? e->loc.v : address | UINT64_C(1) << 63,
                           .kind = e->kind + (rcp_event_is_atomic(e) ? 256u : 0u)};
}

static bool same_side(rcp_pair_side a, rcp_pair_side b) { return a.place == b.place && a.kind == b.kind; }

static uint64_t sides_of(const rcp_run_facts *f, uint32_t a, uint32_t b, rcp_pair_side side[2]) {
    const rcp_event *x = rcp_run_facts_event(f, a), *y = rcp_run_facts_event(f, b);
    uint64_t lo = x->addr > y->addr ? x->addr : y->addr;
    side[0] = side_of(x, lo);
    side[1] = side_of(y, lo);
    if (side[1].place < side[0].place || (side[1].place == side[0].place && side[1].kind < side[0].kind)) {
        rcp_pair_side other = side[0];
        side[0] = side[1];
        side[1] = other;
    }
    return rcp_hash_join(rcp_hash_join(side[0].place, side[1].place), (uint64_t)side[0].kind << 32 | side[1].kind);
}

static rcp_candidate_pair *pair_of(rcp_candidates *c, const rcp_run_facts *f, uint32_t a, uint32_t b) {
    rcp_pair_side side[2];
    for (uint64_t key = sides_of(f, a, b, side);; key++) {
        uint32_t *place = rcp_map_at(&c->by_hash, key);
        if (*place == RCP_MAP_NONE) {
            *place = (uint32_t)c->pairs.len;
            rcp_vec_push(&c->pairs, ((rcp_candidate_pair){.side = {side[0], side[1]}}));
            return &c->pairs.at[*place];
        }
        rcp_candidate_pair *pair = &c->pairs.at[*place];
        if (same_side(pair->side[0], side[0]) && same_side(pair->side[1], side[1]))
            return pair;
    }
}

const rcp_candidate_pair *rcp_candidates_of(const rcp_candidates *c, const rcp_run_facts *f, uint32_t a, uint32_t b) {
    rcp_pair_side side[2];
    for (uint64_t key = sides_of(f, a, b, side);; key++) {
        uint32_t place = rcp_map_get(&c->by_hash, key);
        if (place == RCP_MAP_NONE)
            return NULL;
        const rcp_candidate_pair *pair = &c->pairs.at[place];
        if (same_side(pair->side[0], side[0]) && same_side(pair->side[1], side[1]))
            return pair;
    }
}

static uint32_t distance(rcp_candidate c) { return c.b - c.a; }

/* Half of the instances are the first ones, half the closest ones. */
static void keep(rcp_candidate_pair *pair, rcp_candidate candidate) {
    for (uint32_t i = 0; i < pair->n; i++)
        if (pair->kept[i].a == candidate.a && pair->kept[i].b == candidate.b)
            return;
    pair->left++;
    uint32_t most = (uint32_t)rcp_limit(RCP_LIMIT_CANDIDATE_INSTANCES);
    if (!pair->kept)
        pair->kept = rcp_alloc(most * sizeof *pair->kept);
    if (pair->n < most) {
        pair->kept[pair->n++] = candidate;
        return;
    }
    uint32_t widest = most / 2;
    for (uint32_t i = widest; i < pair->n; i++)
        if (distance(pair->kept[i]) > distance(pair->kept[widest]))
            widest = i;
    if (distance(candidate) < distance(pair->kept[widest]))
        pair->kept[widest] = candidate;
}

/* Boldly: of those that come after the same calls the first one, and the closest of the others. */
static void keep_boldly(rcp_candidate_pair *pair, rcp_candidate candidate, uint64_t after) {
    const uint32_t most = (uint32_t)rcp_limit(RCP_LIMIT_CANDIDATE_INSTANCES);
    uint32_t same = 0, last = 0, spare = NONE;
    if (!pair->after)
        pair->after = rcp_alloc(most * sizeof *pair->after);
    if (!pair->kept)
        pair->kept = rcp_alloc(most * sizeof *pair->kept);
    for (uint32_t i = 0; i < pair->n; i++) {
        if (pair->kept[i].a == candidate.a && pair->kept[i].b == candidate.b)
            return;
        if (pair->after[i] == after) {
            same++;
            last = i;
        }
        for (uint32_t k = 0; k < i && spare == NONE; k++)
            spare = pair->after[k] == pair->after[i] ? i : NONE;
    }
    pair->left++;
    uint32_t at = same > 1 ? last : pair->n < most ? pair->n : same ? NONE : spare;
    if (at == NONE || (same > 1 && distance(candidate) >= distance(pair->kept[last])))
        return;
    pair->kept[at] = candidate;
    pair->after[at] = after;
    pair->n += at == pair->n;
}

/* The call outside without which the order of the two would not be known: at an end of the edge that says it, or else
 * the last one that all this hangs on. */
static rcp_str call_between(const pass *p, uint32_t a, uint32_t b) {
    uint32_t edge[2];
    rcp_must_explain(p->must, a, b, &edge[0], &edge[1]);
    for (int i = 0; i < 2; i++)
        if (rcp_event_is_opaque(rcp_run_facts_event(p->f, edge[i])))
            return rcp_run_facts_event(p->f, edge[i])->callee;
    for (uint32_t i = b; i-- > a;) {
        const rcp_event *e = rcp_run_facts_event(p->f, i);
        if (rcp_event_is_opaque(e) && rcp_must_order(p->must, a, i) && rcp_must_order(p->must, i, b))
            return e->callee;
    }
    return (rcp_str){0};
}

static uint32_t call_before(const pass *p, uint32_t event) {
    return p->call ? p->call[rcp_run_facts_event(p->f, event)->tid.v] : 0;
}

/* Compares access `b`, in hand, with an earlier one, which came after that call. */
static void compare(pass *p, uint32_t a, uint32_t situation_a, uint32_t after_a, uint32_t b, uint32_t situation_b) {
    const rcp_run_facts *f = p->f;
    rcp_candidate_pair *pair = pair_of(p->to, f, a, b);
    pair->conflicts++;
    p->to->conflicts++;
    if (rcp_must_order(p->must, a, b)) {
        p->to->by_order++;
        pair->by_order++;
        if (!pair->by_opaque && p->without_opaque && !rcp_must_order(p->without_opaque, a, b)) {
            rcp_encounter meeting = rcp_holding_meet(p->holding, situation_a, situation_b);
            pair->by_opaque = meeting == RCP_CAN_MEET;
            if (pair->by_opaque)
                pair->opaque = call_between(p, a, b);
        }
        if (!pair->is_doubted && p->bare && !rcp_must_order(p->bare, a, b) &&
            rcp_holding_meet(p->holding, situation_a, situation_b) == RCP_CAN_MEET) {
            pair->is_doubted = true;
            pair->doubted = (rcp_candidate){a, b};
        }
        return;
    }
    switch (rcp_holding_meet(p->holding, situation_a, situation_b)) {
    case RCP_COMMON_LOCK:
        p->to->by_lock++;
        pair->by_lock++;
        return;
    case RCP_CROSSED_HISTORY:
        p->to->by_history++;
        pair->by_history++;
        return;
    default:
        if (p->call)
            keep_boldly(pair, (rcp_candidate){a, b}, rcp_hash_join(after_a, call_before(p, b)));
        else
            keep(pair, (rcp_candidate){a, b});
    }
}

/* Have they a byte in common, in one life? *over: they have all bytes of `a` in common, in other lives: those of `a`
 * are over. */
static bool meet(const rcp_run_facts *f, uint32_t a, uint32_t b, bool *over) {
    const rcp_event *x = rcp_run_facts_event(f, a), *y = rcp_run_facts_event(f, b);
    uint64_t at = x->addr > y->addr ? x->addr : y->addr;
    uint64_t hi_x = x->addr + rcp_event_extent(x), hi_y = y->addr + rcp_event_extent(y);
    uint64_t hi = hi_x < hi_y ? hi_x : hi_y, upto_x, upto_y;
    bool is_all = at == x->addr && hi == hi_x;
    *over = false;
    while (at < hi) {
        if (rcp_observed_life(&f->observed, (rcp_eid){a}, at, &upto_x) ==
            rcp_observed_life(&f->observed, (rcp_eid){b}, at, &upto_y))
            return true;
        *over = is_all;
        at = upto_x < upto_y ? upto_x : upto_y;
    }
    return false;
}

/* Where the touch was not compared with those that it had been compared with before: pairs that nothing rules out have
 * instances that nobody has looked at. What a lock rules out it would have ruled out again. */
static void count_skipped(pass *p, const word *w, touch *t) {
    const rcp_event *e = rcp_run_facts_event(p->f, t->event);
    for (uint32_t i = t->skipped ? w->first : NONE; i != NONE; i = p->touches.at[i].next) {
        const touch *o = &p->touches.at[i];
        bool is_over;
        if (i >= t->known || !rcp_event_conflict(rcp_run_facts_event(p->f, o->event), e) ||
            !meet(p->f, o->event, t->event, &is_over) ||
            rcp_holding_meet(p->holding, o->situation, t->situation) != RCP_CAN_MEET)
            continue;
        const rcp_candidate_pair *pair = rcp_candidates_of(p->to, p->f, o->event, t->event);
        if (pair)
            p->to->pairs.at[pair - p->to->pairs.at].skipped += t->skipped;
    }
    t->skipped = 0;
}

/* Everything that other threads last did to this word. */
static void scan(pass *p, word *w, uint64_t number, uint32_t event, uint32_t situation) {
    const rcp_event *e = rcp_run_facts_event(p->f, event);
    uint32_t *link = &w->first;
    while (*link != NONE) {
        touch *t = &p->touches.at[*link];
        const rcp_event *other = rcp_run_facts_event(p->f, t->event);
        uint64_t lo = other->addr > e->addr ? other->addr : e->addr;
        bool over = false;
        /* a pair that meets in several words is looked at in the first one */
        if (rcp_event_conflict(other, e) && lo / 8 == number) {
            if (meet(p->f, t->event, event, &over)) {
                compare(p, t->event, t->situation, t->after, event, situation);
                bool before_over = false;
                if (t->before != NONE && meet(p->f, t->before, event, &before_over))
                    compare(p, t->before, t->situation, t->after, event, situation);
                if (before_over)
                    t->before = NONE;
            }
        }
        if (over) { /* nobody can come to that life any more */
            count_skipped(p, w, t);
            *link = t->next;
            w->n--;
        } else {
            link = &t->next;
        }
    }
}

static bool same_sort(const rcp_event *a, const rcp_event *b) {
    return a->tid.v == b->tid.v && a->loc.v == b->loc.v && a->kind == b->kind &&
           rcp_event_is_atomic(a) == rcp_event_is_atomic(b) && a->addr == b->addr && a->size == b->size;
}

/* Would another comparison show only further instances of the same pairs? Locks rule out what they ruled out the last
 * time; so does nothing else, where must-happen-before ruled out nothing. Then it is made now and then. */
static bool is_repetition(const word *w, const touch *t) {
    return t->version == w->version && !t->ordered && t->scans >= rcp_limit(RCP_LIMIT_CANDIDATE_SCANS) &&
           t->scans & (t->scans - 1);
}

/* Of a word that is full, the touch that a new one takes the place of: the oldest that differs in nothing but what was
 * acquired since the locks were taken; of an access that has as many touches itself, the oldest of it. NONE: there is
 * none. So whatever is forgotten, something of the same thread, place and bytes is remembered, and conflicts of its
 * pairs are found, if with other instances. */
static uint32_t replaced(const pass *p, const word *w, const rcp_event *e, uint32_t situation) {
    uint32_t like = NONE, oldest = NONE;
    uint64_t n = 0;
    for (uint32_t i = w->first; i != NONE; i = p->touches.at[i].next) {
        const touch *t = &p->touches.at[i];
        if (!same_sort(rcp_run_facts_event(p->f, t->event), e))
            continue;
        n++;
        if (oldest == NONE || t->event < p->touches.at[oldest].event)
            oldest = i;
        if ((like == NONE || t->event < p->touches.at[like].event) &&
            rcp_holding_same_locks(p->holding, t->situation, situation))
            like = i;
    }
    return like != NONE ? like : n >= rcp_limit(RCP_LIMIT_WORD_ACCESSES) ? oldest : NONE;
}

static void touch_word(pass *p, uint64_t number, uint32_t event, uint32_t situation) {
    uint32_t *place = rcp_map_at(&p->word_at, number);
    if (*place == RCP_MAP_NONE) {
        *place = (uint32_t)p->words.len;
        rcp_vec_push(&p->words, ((word){NONE, 0, NONE, 0}));
    }
    word *w = &p->words.at[*place];
    const rcp_event *e = rcp_run_facts_event(p->f, event);
    const uint32_t after = call_before(p, event);
    uint32_t mine = NONE;
    for (uint32_t i = w->first; i != NONE && mine == NONE; i = p->touches.at[i].next)
        if (p->touches.at[i].situation == situation && p->touches.at[i].after == after &&
            same_sort(rcp_run_facts_event(p->f, p->touches.at[i].event), e))
            mine = i;
    /* the same again, and nobody else was here meanwhile: as before */
    if (mine != NONE && w->latest != NONE &&
        rcp_run_facts_event(p->f, p->touches.at[w->latest].event)->tid.v == e->tid.v && w->latest == mine) {
        p->touches.at[mine].before = p->touches.at[mine].event;
        p->touches.at[mine].event = event;
        return;
    }
    if (mine == NONE && w->n >= rcp_limit(RCP_LIMIT_WORD_ACCESSES) && (mine = replaced(p, w, e, situation)) != NONE) {
        touch *t = &p->touches.at[mine];
        p->to->forgotten++;
        rcp_limit_reached(RCP_LIMIT_WORD_ACCESSES);
        count_skipped(p, w, t);
        *t = (touch){.event = event, .before = NONE, .situation = situation, .next = t->next, .after = after};
        w->version++;
    } else if (mine == NONE) {
        mine = (uint32_t)p->touches.len;
        rcp_vec_push(
            &p->touches,
            ((touch){.event = event, .before = NONE, .situation = situation, .next = w->first, .after = after}));
        w->first = mine;
        w->n++;
        w->version++;
    } else {
        p->touches.at[mine].before = p->touches.at[mine].event;
        p->touches.at[mine].event = event;
    }
    w->latest = mine;
    touch *t = &p->touches.at[mine];
    t->scans++;
    if (is_repetition(w, t)) {
        t->skipped++;
        return;
    }
    count_skipped(p, w, t);
    if (p->inside)
        rcp_inside_later(p->inside, event, situation);
    uint64_t by_order = p->to->by_order;
    scan(p, w, number, event, situation);
    t->ordered = p->to->by_order > by_order;
    t->version = w->version;
    t->known = (uint32_t)p->touches.len;
}

/* A FREE is compared with what touched the block, an access with the FREE that began its life. */
static void visit_free(pass *p, uint32_t event, uint32_t situation) {
    const rcp_event *e = rcp_run_facts_event(p->f, event);
    rcp_map_set(&p->freed, event, situation);
    for (uint64_t number = e->addr / 8; number * 8 < e->addr + e->value; number++) {
        uint32_t place = rcp_map_get(&p->word_at, number);
        if (place != RCP_MAP_NONE)
            scan(p, &p->words.at[place], number, event, situation);
    }
}

static void after_free(pass *p, uint32_t event, uint32_t situation) {
    const rcp_event *e = rcp_run_facts_event(p->f, event);
    uint64_t hi = e->addr + rcp_event_extent(e), upto;
    for (uint64_t at = e->addr; at < hi; at = upto) {
        uint32_t life = rcp_observed_life(&p->f->observed, (rcp_eid){event}, at, &upto);
        if (life && rcp_event_conflict(rcp_run_facts_event(p->f, life - 1), e))
            compare(p, life - 1, rcp_map_get(&p->freed, life - 1), 0, event, situation);
    }
}

static void compare_word(const pass *p, const word *w) {
    for (uint32_t i = w->first; i != NONE; i = p->touches.at[i].next)
        rcp_inside_earlier(p->inside, p->touches.at[i].event, p->touches.at[i].situation);
}

/* A call outside is compared with what touched the memory in its reach, which may be all there is. */
static void visit_call(pass *p, uint32_t event, uint32_t situation) {
    const rcp_event *e = rcp_run_facts_event(p->f, event);
    const rcp_reach_def *reach = &p->f->trace->defs.reaches.at[e->reach.v];
    uint64_t words = 0;
    if (!rcp_inside_call(p->inside, event, situation))
        return;
    for (size_t i = 0; i < reach->n; i++)
        words += reach->spans[i].lo < RCP_REACH_BEYOND ? (reach->spans[i].hi - reach->spans[i].lo) / 8 + 2 : 0;
    for (size_t i = 0; words > p->words.len && i < p->words.len; i++)
        compare_word(p, &p->words.at[i]);
    for (size_t i = 0; words <= p->words.len && i < reach->n; i++)
        for (uint64_t at = reach->spans[i].lo / 8; at * 8 < reach->spans[i].hi && at * 8 < RCP_REACH_BEYOND; at++) {
            uint32_t place = rcp_map_get(&p->word_at, at);
            if (place != RCP_MAP_NONE)
                compare_word(p, &p->words.at[place]);
        }
}

/* Which window could hold it; of those that the same could, the one that comes first in the trace is the cheapest: a
 * witness begins with all that came before. */
static int by_cost(const void *x, const void *y) {
    const rcp_candidate *a = x, *b = y;
    uint64_t near = rcp_limit(RCP_LIMIT_INSTANCE_NEAR), i = distance(*a) / near, k = distance(*b) / near;
    int one = i ? 64 - __builtin_clzll(i) : 0, other = k ? 64 - __builtin_clzll(k) : 0;
    return one != other ? one - other : (a->b > b->b) - (a->b < b->b);
}

void rcp_candidates_find(rcp_candidates *c, const rcp_run_facts *facts, const rcp_forced *forced,
                         bool spurious_wakeups) {
    *c = (rcp_candidates){0};
    rcp_map_init(&c->by_hash);
    pass p = {.to = c, .f = facts};
    p.holding = rcp_holding_create(facts->trace);
    if (!forced) {
        p.bare = rcp_must_create(facts, NULL, spurious_wakeups, true);
        p.call = rcp_alloc_zero(facts->trace->defs.threads.len + 1, sizeof *p.call);
    }
    p.must = forced ? forced->must : p.bare;
    if (forced && facts->observed.opaques.len) {
        p.without_opaque = rcp_must_create(facts, &forced->edges, spurious_wakeups, true);
        p.bare = rcp_must_create(facts, NULL, spurious_wakeups, true);
        p.inside = rcp_inside_create(facts, p.without_opaque, p.holding);
    }
    rcp_map_init(&p.word_at);
    rcp_map_init(&p.freed);
    for (uint32_t i = 0; i < facts->trace->events.len && !rcp_deadline_is_over_at(i + 1); i++) {
        const rcp_event *e = rcp_run_facts_event(facts, i);
        c->events = i + 1;
        if (p.without_opaque)
            rcp_must_add(p.without_opaque, i);
        if (p.bare)
            rcp_must_add(p.bare, i);
        uint32_t situation = rcp_holding_add(p.holding, e);
        if (p.call && rcp_event_is_opaque(e))
            p.call[e->tid.v] = 2 * e->callee.v + (e->kind == RCP_OPAQUE_END);
        if (p.inside && rcp_event_is_opaque(e))
            visit_call(&p, i, situation);
        if (!rcp_event_extent(e) || e->kind == RCP_ALLOC)
            continue;
        after_free(&p, i, situation);
        if (e->kind == RCP_FREE)
            visit_free(&p, i, situation);
        for (uint64_t number = e->addr / 8; rcp_event_is_access(e) && number <= (e->addr + e->size - 1) / 8; number++)
            touch_word(&p, number, i, situation);
    }
    for (size_t w = 0; w < p.words.len; w++)
        for (uint32_t t = p.words.at[w].first; t != NONE; t = p.touches.at[t].next)
            count_skipped(&p, &p.words.at[w], &p.touches.at[t]);
    for (size_t i = 0; i < c->pairs.len; i++) {
        rcp_release(c->pairs.at[i].after);
        c->pairs.at[i].after = NULL;
        if (c->pairs.at[i].n)
            qsort(c->pairs.at[i].kept, c->pairs.at[i].n, sizeof *c->pairs.at[i].kept, by_cost);
    }
    rcp_release(p.call);
    rcp_inside_destroy(p.inside, &c->inside);
    rcp_holding_destroy(p.holding);
    if (p.without_opaque)
        rcp_must_destroy(p.without_opaque);
    if (p.bare)
        rcp_must_destroy(p.bare);
    rcp_map_finish(&p.word_at);
    rcp_map_finish(&p.freed);
    rcp_vec_finish(&p.words);
    rcp_vec_finish(&p.touches);
}

void rcp_candidates_finish(rcp_candidates *c) {
    for (size_t i = 0; i < c->pairs.len; i++)
        rcp_release(c->pairs.at[i].kept);
    rcp_vec_finish(&c->pairs);
    rcp_vec_finish(&c->inside);
    rcp_map_finish(&c->by_hash);
}
