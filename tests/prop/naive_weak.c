/* SPDX-License-Identifier: Apache-2.0 */
#include "prop/naive_weak.h"

#include <string.h>

#define BIT(i) (UINT64_C(1) << (i))

typedef struct section {
    uint32_t lock, tid;
    rcp_mode mode;
    size_t acquired, released; /* released n: never */
} section;

typedef struct weak {
    const rcp_trace *trace;
    rcp_model model;
    bool published;
    size_t n;
    uint64_t pre[64], post[64]; /* edges: the sets of events before each */
    uint64_t path[64];          /* the order: what is before each event, its own edges of both sorts included */
    uint64_t hb[64];            /* happens-before, closed */
    section sections[64];
    size_t n_sections;
} weak;

static const rcp_event *at(const weak *w, size_t i) { return &w->trace->events.at[i]; }

static bool acquires(const rcp_event *e, uint32_t *lock, rcp_mode *mode) {
    *lock = e->kind == RCP_WAKE ? e->lock.v : e->object.v;
    *mode = e->kind == RCP_WAKE ? RCP_EXCLUSIVE : (rcp_mode)e->mode;
    return e->kind == RCP_WAKE || (e->kind == RCP_ACQUIRE && e->outcome == RCP_DONE);
}

static bool releases(const rcp_event *e, uint32_t *lock, rcp_mode *mode) {
    *lock = e->kind == RCP_WAIT ? e->lock.v : e->object.v;
    *mode = e->kind == RCP_WAIT ? RCP_EXCLUSIVE : (rcp_mode)e->mode;
    return e->kind == RCP_WAIT || e->kind == RCP_RELEASE;
}

/* Outermost acquires with the releases that bring their depth back to nothing. */
static void find_sections(weak *w) {
    for (size_t i = 0; i < w->n; i++) {
        uint32_t lock, other;
        rcp_mode mode, its;
        if (!acquires(at(w, i), &lock, &mode))
            continue;
        bool inner = false;
        for (size_t k = 0; k < w->n_sections; k++)
            inner |= w->sections[k].lock == lock && w->sections[k].tid == at(w, i)->tid.v &&
                     w->sections[k].mode == mode && w->sections[k].released > i;
        if (inner)
            continue;
        section s = {lock, at(w, i)->tid.v, mode, i, w->n};
        size_t depth = 1;
        for (size_t k = i + 1; k < w->n && depth; k++) {
            if (at(w, k)->tid.v != s.tid)
                continue;
            depth += acquires(at(w, k), &other, &its) && other == lock && its == mode;
            if (releases(at(w, k), &other, &its) && other == lock && its == mode && !--depth)
                s.released = k;
        }
        w->sections[w->n_sections++] = s;
    }
}

static bool inside(const weak *w, const section *s, size_t e) {
    return at(w, e)->tid.v == s->tid && s->acquired < e && e < s->released;
}

static bool exclude(const section *a, const section *b) {
    return a->lock == b->lock && a->tid != b->tid && !(a->mode == RCP_SHARED && b->mode == RCP_SHARED);
}

static bool common_lock(const weak *w, size_t e1, size_t e2) {
    for (size_t a = 0; a < w->n_sections; a++)
        for (size_t b = 0; b < w->n_sections; b++)
            if (inside(w, &w->sections[a], e1) && inside(w, &w->sections[b], e2) &&
                exclude(&w->sections[a], &w->sections[b]))
                return true;
    return false;
}

static bool is_write(const rcp_event *e) { return rcp_event_writes(e) || e->kind == RCP_FREE; }
static bool is_memory(const rcp_event *e) { return rcp_event_is_access(e) || e->kind == RCP_FREE; }

/* Accesses of two threads to a byte in common, one of which writes; atomic ones are not left out. */
static bool touches(const weak *w, size_t i, size_t j) {
    const rcp_event *a = at(w, i), *b = at(w, j);
    return a->tid.v != b->tid.v && is_memory(a) && is_memory(b) && (is_write(a) || is_write(b)) &&
           rcp_naive_overlap(w->trace, i, j);
}

/* sdp: two writes, neither of which reads: what comes before what. */
static void order_writes(weak *w, size_t e1, size_t e2, size_t from) {
    for (size_t e3 = e2 + 1; e3 < w->n; e3++)
        if (at(w, e3)->tid.v == at(w, e2)->tid.v && rcp_event_reads(at(w, e3))) {
            /* e1 and e2 meet in a place, and e3 reads it there */
            const rcp_event *e = at(w, e3);
            for (uint64_t byte = e->addr; byte < e->addr + rcp_event_extent(e); byte++)
                if (rcp_naive_share(w->trace, e1, e3, byte) && rcp_naive_share(w->trace, e2, e3, byte))
                    w->pre[e3] |= BIT(from);
        }
}

/* sdp takes two accesses that only write for less than other conflicting ones. */
static bool are_blind(const weak *w, size_t e1, size_t e2) {
    return w->model == RCP_MODEL_SDP && !rcp_event_reads(at(w, e1)) && !rcp_event_reads(at(w, e2)) &&
           is_write(at(w, e1)) && is_write(at(w, e2));
}

/* Rule (a) of wcp, dc and sdp. */
static void conflicts(weak *w) {
    for (size_t e2 = 0; e2 < w->n; e2++)
        for (size_t e1 = 0; e1 < e2; e1++) {
            if (!touches(w, e1, e2))
                continue;
            bool blind = are_blind(w, e1, e2);
            for (size_t a = 0; a < w->n_sections; a++)
                for (size_t b = 0; b < w->n_sections; b++) {
                    const section *s = &w->sections[a], *t = &w->sections[b];
                    if (!inside(w, s, e1) || !inside(w, t, e2) || !exclude(s, t) || s->released > t->acquired)
                        continue;
                    if (blind)
                        order_writes(w, e1, e2, s->released);
                    else
                        w->pre[e2] |= BIT(s->released);
                }
            if (rcp_event_is_atomic(at(w, e1)) && rcp_event_is_atomic(at(w, e2))) {
                if (blind)
                    order_writes(w, e1, e2, e1);
                else
                    w->pre[e2] |= BIT(e1);
            }
        }
}

/* The reads on which a term depends. */
static uint64_t reads_of(const weak *w, rcp_term term, size_t i, bool own) {
    uint64_t reads = 0;
    if (term.v == RCP_TERM_ALL.v) {
        for (size_t k = 0; k < i + own; k++)
            if (at(w, k)->tid.v == at(w, i)->tid.v && rcp_event_reads(at(w, k)))
                reads |= BIT(k);
    } else if (rcp_term_is_real(term)) {
        rcp_eids list = {0};
        rcp_term_reads(&w->trace->terms, term, &list);
        for (size_t k = 0; k < list.len; k++)
            if (list.at[k].v < w->n)
                reads |= BIT(list.at[k].v);
        rcp_vec_finish(&list);
    }
    return reads;
}

static uint64_t partial_reads(const weak *w, rcp_term term, size_t i) {
    if (!rcp_term_is_real(term))
        return 0;
    const rcp_term_node *node = rcp_term_borrow(&w->trace->terms, term);
    if (rcp_op_is_partial(node->op))
        return reads_of(w, term, i, true);
    const uint32_t arguments[3] = {node->a, node->b, node->c};
    uint64_t reads = 0;
    for (unsigned k = 0; node->op != RCP_OP_READ && k < rcp_op_borrow_traits(node->op)->arity; k++)
        reads |= partial_reads(w, (rcp_term){arguments[k]}, i);
    return reads;
}

/* wdp: the events after which whatever depends on read r comes. */
static uint64_t needed_by(const weak *w, size_t r) {
    const rcp_event *e = at(w, r);
    uint64_t after = 0;
    for (uint64_t k = 0; k < e->size; k++) {
        size_t writer = rcp_naive_writer(w->trace, r, e->addr + k);
        if (!writer-- || at(w, writer)->tid.v == e->tid.v)
            continue;
        const rcp_event *from = at(w, writer);
        bool bound = rcp_event_is_opaque(from) || (rcp_event_is_atomic(from) && rcp_event_is_atomic(e));
        if (bound || !w->published)
            after |= BIT(writer);
        for (size_t a = 0; a < w->n_sections && !rcp_event_is_opaque(from); a++)
            for (size_t b = 0; b < w->n_sections; b++)
                if (inside(w, &w->sections[a], writer) && inside(w, &w->sections[b], r) &&
                    exclude(&w->sections[a], &w->sections[b]))
                    after |= BIT(w->sections[a].released);
    }
    return after;
}

static void dependences(weak *w) {
    bool implicit = rcp_defs_implicit_branches(&w->trace->defs);
    for (size_t i = 0; i < w->n; i++) {
        const rcp_event *e = at(w, i);
        uint64_t before = reads_of(w, e->addr_term, i, false);
        uint64_t after = reads_of(w, e->cond, i, rcp_event_reads(e)) | partial_reads(w, e->value_term, i);
        if (implicit && rcp_event_reads(e))
            after |= BIT(i);
        for (size_t r = 0; r < w->n; r++) {
            w->pre[i] |= before >> r & 1 ? needed_by(w, r) : 0;
            w->post[i] |= after >> r & 1 ? needed_by(w, r) : 0;
        }
        w->pre[i] &= ~BIT(i);
        w->post[i] &= ~BIT(i);
    }
}

static bool composes(const weak *w) { return w->model == RCP_MODEL_WCP || w->model == RCP_MODEL_SDP; }

/* What is before each event, until rule (b) has nothing to add. */
static void close_order(weak *w) {
    for (size_t i = 0; i < w->n; i++)
        w->path[i] = w->pre[i] | w->post[i];
    for (bool news = true; news;) {
        news = false;
        for (size_t j = 0; j < w->n; j++)
            for (size_t k = 0; k < w->n; k++) {
                uint64_t add = w->path[j] >> k & 1 ? w->path[k] | (composes(w) ? w->hb[k] : 0) : 0;
                if (composes(w) && w->hb[j] >> k & 1)
                    add |= w->path[k];
                news |= add & ~w->path[j];
                w->path[j] |= add;
            }
        for (size_t a = 0; a < w->n_sections && w->model != RCP_MODEL_HB; a++)
            for (size_t b = 0; b < w->n_sections; b++) {
                const section *s = &w->sections[a], *t = &w->sections[b];
                if (exclude(s, t) && s->released < t->acquired && t->released < w->n &&
                    w->path[t->released] >> s->acquired & 1 && !(w->path[t->released] >> s->released & 1)) {
                    w->path[t->released] |= BIT(s->released);
                    w->pre[t->released] |= BIT(s->released);
                    news = true;
                }
            }
    }
}

static void close_hb(weak *w) {
    for (size_t j = 0; j < w->n; j++) /* in order: what is before a predecessor is closed */
        for (size_t i = 0; i < j; i++)
            w->hb[j] |= w->hb[j] >> i & 1 ? w->hb[i] : 0;
}

static void begin(weak *w, const rcp_trace *trace, rcp_model model, bool published) {
    uint64_t none[64];
    *w = (weak){.trace = trace, .model = model, .published = published, .n = trace->events.len};
    find_sections(w);
    rcp_naive_edges(trace, RCP_NAIVE_HB, w->hb, none);
    if (model == RCP_MODEL_HB)
        memcpy(w->pre, w->hb, sizeof w->pre);
    else if (model == RCP_MODEL_WDP)
        rcp_naive_edges(trace, published ? RCP_NAIVE_NECESSARY : RCP_NAIVE_NECESSARY_FREED, w->pre, w->post);
    else
        rcp_naive_edges(trace, RCP_NAIVE_LOOSE, w->pre, none);
    for (size_t j = 0; j < w->n && composes(w); j++)
        for (size_t i = 0; i < j; i++)
            if (touches(w, i, j) && rcp_event_is_atomic(at(w, i)) && rcp_event_is_atomic(at(w, j)))
                w->hb[j] |= BIT(i); /* as the papers' volatile accesses are */
    close_hb(w);
    for (size_t j = 0; j < w->n && composes(w); j++)
        for (size_t i = 0; i < j; i++)
            if (at(w, i)->tid.v == at(w, j)->tid.v)
                w->pre[j] &= ~BIT(i); /* program order is happens-before's */
    if (model == RCP_MODEL_WDP)
        dependences(w);
    else if (model != RCP_MODEL_HB)
        conflicts(w);
    close_order(w);
}

/* Is i before j when j is compared with it: not counting what is taken afterwards? */
static bool before(const weak *w, size_t i, size_t j) {
    if (composes(w) || w->model == RCP_MODEL_HB)
        return w->path[j] >> i & 1;
    for (size_t k = 0; k < w->n; k++)
        if (w->pre[j] >> k & 1 && (k == i || w->path[k] >> i & 1))
            return true;
    return false;
}

/* Races of event j are taken as critical sections of one lock by themselves, now that they are known. */
static void handle(weak *w, size_t j, uint64_t races) {
    for (size_t i = 0; i < j; i++) {
        if (!(races >> i & 1))
            continue;
        if (composes(w))
            w->hb[j] |= BIT(i);
        if (are_blind(w, i, j))
            order_writes(w, i, j, i);
        else
            w->post[j] |= BIT(i);
    }
    close_hb(w);
    close_order(w);
}

void rcp_naive_pairs(const rcp_trace *trace, rcp_model model, bool published, uint64_t pairs[64]) {
    weak w;
    uint64_t lo, hi;
    begin(&w, trace, model, published);
    for (size_t j = 0; j < w.n; j++) {
        pairs[j] = 0;
        for (size_t i = 0; i < j; i++)
            if (rcp_naive_conflict(trace, i, j, &lo, &hi) && !before(&w, i, j) && !common_lock(&w, i, j))
                pairs[j] |= BIT(i);
        if (pairs[j] && !published && (composes(&w) || model == RCP_MODEL_DC))
            handle(&w, j, pairs[j]);
    }
}

void rcp_naive_weak(const rcp_trace *trace, rcp_model model, bool published, rcp_naive_races *races) {
    uint64_t pairs[64];
    rcp_naive_pairs(trace, model, published, pairs);
    for (size_t j = 0; j < trace->events.len; j++)
        for (uint32_t tid = 0; tid < trace->defs.threads.len; tid++)
            for (size_t i = j; i-- > 0;) {
                uint64_t lo = 0, hi = 0;
                if (!(pairs[j] >> i & 1) || trace->events.at[i].tid.v != tid)
                    continue;
                rcp_naive_conflict(trace, i, j, &lo, &hi);
                rcp_vec_push(races, ((rcp_naive_race){{i}, {j}, lo, hi}));
                break;
            }
}
