/* SPDX-License-Identifier: Apache-2.0 */
#include "predict/facts/must.h"

#include "base/map.h"

#include <stdlib.h>

/* How many events of each thread come before: those of which some do, by thread, ascending. Of thousands of threads
 * most know of few. */
typedef struct entry {
    uint32_t tid;
    rcp_position value;
} entry;

typedef RCP_VEC(entry) clock;

/* From `position` of its thread on, `value` events of another one come before. */
typedef struct growth {
    rcp_position position, value;
} growth;

typedef RCP_VEC(growth) growths;

/* What a thread comes after: from its first event on `base`; and what it learnt later. */
typedef struct knower {
    clock base;
    rcp_map index; /* thread → part, where there are many */
    RCP_VEC(uint32_t) of;
    RCP_VEC(growths) parts; /* beside `of` */
} knower;

struct rcp_must {
    const rcp_run_facts *facts;
    size_t n; /* threads */
    knower *threads;
    clock *objects; /* by object: what whoever is served by it comes after */
    clock *begins;  /* by thread: what its first event comes after; and, once it has ended, all before its end */
    clock *inits;   /* by object */
    bool without_opaque;
    const rcp_edge_list *forced; /* or NULL */
    size_t next_forced;
    uint8_t *serves; /* by object: is there only one that can serve? */
};

/* A cond whose one call, a semaphore whose one post, a barrier whose one generation. */
static bool serves_alone(const rcp_run_facts *f, uint32_t object) {
    const rcp_object *definition = &f->trace->defs.objects.at[object];
    uint64_t calls = 0, posts = 0, enters = 0;
    for (size_t i = f->named.first[object]; i < f->named.first[object + 1]; i++) {
        uint8_t kind = rcp_run_facts_event(f, f->named.at[i])->kind;
        calls += kind == RCP_SIGNAL || kind == RCP_BROADCAST;
        posts += kind == RCP_SEM_POST;
        enters += kind == RCP_BARRIER_ENTER;
    }
    switch (definition->kind) {
    case RCP_COND: return calls == 1;
    case RCP_SEM: return posts == 1 && !definition->initial;
    case RCP_BARRIER: return enters == definition->initial;
    default: return true; /* once */
    }
}

rcp_must *rcp_must_create(const rcp_run_facts *facts, const rcp_edge_list *forced, bool spurious_wakeups,
                          bool without_opaque) {
    rcp_must *m = rcp_alloc_zero(1, sizeof *m);
    size_t objects = facts->trace->defs.objects.len;
    m->facts = facts;
    m->without_opaque = without_opaque;
    m->forced = forced;
    m->n = facts->trace->defs.threads.len;
    m->threads = rcp_alloc_zero(m->n + 1, sizeof *m->threads);
    m->begins = rcp_alloc_zero(m->n + 1, sizeof *m->begins);
    m->objects = rcp_alloc_zero(objects + 1, sizeof *m->objects);
    m->inits = rcp_alloc_zero(objects + 1, sizeof *m->inits);
    m->serves = rcp_alloc_zero(objects + 1, 1);
    for (uint32_t o = 0; o < objects; o++)
        m->serves[o] =
            serves_alone(facts, o) && !(spurious_wakeups && facts->trace->defs.objects.at[o].kind == RCP_COND);
    return m;
}

static void release_all(clock *clocks, size_t n) {
    for (size_t i = 0; i < n; i++)
        rcp_vec_finish(&clocks[i]);
    rcp_release(clocks);
}

void rcp_must_destroy(rcp_must *m) {
    size_t objects = m->facts->trace->defs.objects.len;
    for (size_t t = 0; t < m->n; t++) {
        knower *k = &m->threads[t];
        for (size_t i = 0; i < k->parts.len; i++)
            rcp_vec_finish(&k->parts.at[i]);
        rcp_vec_finish(&k->parts);
        rcp_vec_finish(&k->of);
        rcp_vec_finish(&k->base);
        rcp_map_finish(&k->index);
    }
    rcp_release(m->threads);
    release_all(m->begins, m->n);
    release_all(m->objects, objects);
    release_all(m->inits, objects);
    rcp_release(m->serves);
    rcp_release(m);
}

static rcp_position value_in(const clock *c, uint32_t tid) {
    size_t lo = 0, hi = c->len;
    while (lo < hi) {
        size_t middle = lo + (hi - lo) / 2;
        if (c->at[middle].tid < tid)
            lo = middle + 1;
        else
            hi = middle;
    }
    return lo < c->len && c->at[lo].tid == tid ? c->at[lo].value : 0;
}

#define FEW 8 /* parts that need no index */

/* NULL: it learnt nothing of that thread after it began. */
static growths *part_of(const knower *k, uint32_t other) {
    if (k->of.len <= FEW) {
        for (size_t i = 0; i < k->of.len; i++)
            if (k->of.at[i] == other)
                return &k->parts.at[i];
        return NULL;
    }
    uint32_t i = rcp_map_get(&k->index, other);
    return i == RCP_MAP_NONE ? NULL : &k->parts.at[i];
}

static growths *add_part(knower *k, uint32_t other) {
    rcp_vec_push(&k->of, other);
    rcp_vec_push(&k->parts, (growths){0});
    size_t n = k->of.len;
    for (size_t i = n == FEW + 1 ? 0 : n - 1; n > FEW && i < n; i++)
        rcp_map_set(&k->index, k->of.at[i], (uint32_t)i);
    return &k->parts.at[n - 1];
}

/* What the thread knows of another one by now. */
static rcp_position knows(const rcp_must *m, uint32_t tid, uint32_t other) {
    const growths *grown = part_of(&m->threads[tid], other);
    return grown ? grown->at[grown->len - 1].value : value_in(&m->threads[tid].base, other);
}

/* From `position` of thread `tid` on, `value` events of thread `other` come before. */
static void learn(rcp_must *m, uint32_t tid, rcp_position position, uint32_t other, rcp_position value) {
    knower *k = &m->threads[tid];
    if (knows(m, tid, other) >= value)
        return;
    growths *grown = part_of(k, other);
    if (!grown)
        grown = add_part(k, other);
    RCP_DCHECK(!grown->len || grown->at[grown->len - 1].position <= position);
    if (grown->len && grown->at[grown->len - 1].position == position)
        grown->at[grown->len - 1].value = value;
    else
        rcp_vec_push(grown, ((growth){position, value}));
}

static void learn_all(rcp_must *m, uint32_t tid, rcp_position position, const clock *from) {
    for (size_t i = 0; i < from->len; i++)
        if (from->at[i].tid != tid)
            learn(m, tid, position, from->at[i].tid, from->at[i].value);
}

/* The thread has its first event: what that comes after is the thread's from here on. */
static void begin(rcp_must *m, uint32_t tid) {
    RCP_DCHECK(!m->threads[tid].parts.len && !m->threads[tid].base.len);
    m->threads[tid].base = m->begins[tid];
    m->begins[tid] = (clock){0};
}

/* The last time by the event at `position` of thread `tid` that it grew how many of thread `other` come before. */
static growth grown_by(const rcp_must *m, uint32_t tid, rcp_position position, uint32_t other) {
    const growths *grown = part_of(&m->threads[tid], other);
    size_t lo = 0, hi = grown ? grown->len : 0;
    if (hi && grown->at[hi - 1].position <= position)
        return grown->at[hi - 1];
    while (lo < hi) { /* to the first that came later */
        size_t middle = lo + (hi - lo) / 2;
        if (grown->at[middle].position <= position)
            lo = middle + 1;
        else
            hi = middle;
    }
    return lo ? grown->at[lo - 1] : (growth){0, value_in(&m->threads[tid].base, other)};
}

/* How many events of thread `other` come before the event at `position` of thread `tid`. */
static rcp_position known(const rcp_must *m, uint32_t tid, rcp_position position, uint32_t other) {
    return grown_by(m, tid, position, other).value;
}

void rcp_must_learn(rcp_must *m, uint32_t event, uint32_t tid, rcp_position position) {
    uint32_t by = rcp_run_facts_event(m->facts, event)->tid.v;
    rcp_position at = m->facts->trace->position[event];
    if (by == tid || knows(m, tid, by) > at)
        return;
    const knower *k = &m->threads[by];
    for (size_t i = 0; i < k->base.len; i++)
        if (k->base.at[i].tid != tid)
            learn(m, tid, position, k->base.at[i].tid, k->base.at[i].value);
    for (size_t i = 0; i < k->of.len; i++)
        if (k->of.at[i] != tid)
            learn(m, tid, position, k->of.at[i], known(m, by, at, k->of.at[i]));
    learn(m, tid, position, by, at + 1);
}

static int by_thread(const void *a, const void *b) {
    uint32_t x = ((const entry *)a)->tid, y = ((const entry *)b)->tid;
    return (x > y) - (x < y);
}

/* What comes after the event comes after all that the thread has seen, itself included. */
static void publish(const rcp_must *m, clock *to, uint32_t tid, rcp_position position) {
    const knower *k = &m->threads[tid];
    clock all = {0};
    for (size_t i = 0; i < to->len; i++)
        rcp_vec_push(&all, to->at[i]);
    for (size_t i = 0; i < k->base.len; i++)
        rcp_vec_push(&all, k->base.at[i]);
    for (size_t i = 0; i < k->of.len; i++)
        rcp_vec_push(&all, ((entry){k->of.at[i], knows(m, tid, k->of.at[i])}));
    rcp_vec_push(&all, ((entry){tid, position + 1}));
    qsort(all.at, all.len, sizeof *all.at, by_thread);
    to->len = 0;
    for (size_t i = 0; i < all.len; i++) {
        entry *last = to->len ? &to->at[to->len - 1] : NULL;
        if (!last || last->tid != all.at[i].tid)
            rcp_vec_push(to, all.at[i]);
        else if (last->value < all.at[i].value)
            last->value = all.at[i].value;
    }
    rcp_vec_finish(&all);
}

/* P1, and what the values force. */
static void learn_needs(rcp_must *m, uint32_t event, uint32_t tid, rcp_position position) {
    size_t n = 0;
    const uint32_t *needs = m->without_opaque ? NULL : rcp_observed_needs(&m->facts->observed, (rcp_eid){event}, &n);
    for (size_t i = 0; i < n; i++)
        rcp_must_learn(m, needs[i], tid, position);
    for (; m->forced && m->next_forced < m->forced->len; m->next_forced++) {
        const rcp_edge *edge = &m->forced->at[m->next_forced];
        RCP_DCHECK(edge->to >= event); /* ascending: none was passed over */
        if (edge->to != event)
            break;
        rcp_must_learn(m, edge->from, tid, position);
    }
}

void rcp_must_add(rcp_must *m, uint32_t event) {
    const rcp_run_facts *f = m->facts;
    const rcp_event *e = rcp_run_facts_event(f, event);
    uint32_t tid = e->tid.v, uses = rcp_event_traits(e->kind)->uses;
    rcp_position position = f->trace->position[event];
    if (!position)
        begin(m, tid);
    if (uses & RCP_USES_OBJECT)
        learn_all(m, tid, position, &m->inits[e->object.v]);
    if (uses & RCP_USES_LOCK)
        learn_all(m, tid, position, &m->inits[e->lock.v]);
    learn_needs(m, event, tid, position);
    switch ((rcp_kind)e->kind) {
    case RCP_JOIN:
        if (e->outcome == RCP_DONE)
            learn_all(m, tid, position, &m->begins[e->child.v]);
        break;
    case RCP_WAKE:
        if (e->outcome == RCP_DONE && m->serves[e->object.v])
            learn_all(m, tid, position, &m->objects[e->object.v]);
        break;
    case RCP_SEM_WAIT:
    case RCP_BARRIER_LEAVE:
        if (e->outcome != RCP_FAILED && m->serves[e->object.v])
            learn_all(m, tid, position, &m->objects[e->object.v]);
        break;
    case RCP_ONCE_SKIP: learn_all(m, tid, position, &m->objects[e->object.v]); break;
    case RCP_FORK: publish(m, &m->begins[e->child.v], tid, position); break;
    case RCP_SIGNAL:
    case RCP_BROADCAST:
    case RCP_SEM_POST:
    case RCP_BARRIER_ENTER:
    case RCP_ONCE_END: publish(m, &m->objects[e->object.v], tid, position); break;
    case RCP_INIT: publish(m, &m->inits[e->object.v], tid, position); break;
    default: break;
    }
    if (position + 1 == rcp_trace_thread_len(f->trace, e->tid))
        publish(m, &m->begins[tid], tid, position);
}

rcp_position rcp_must_before_event(const rcp_must *m, uint32_t event, uint32_t tid) {
    const rcp_trace *trace = m->facts->trace;
    return known(m, trace->events.at[event].tid.v, trace->position[event], tid);
}

void rcp_must_explain(const rcp_must *m, uint32_t a, uint32_t b, uint32_t *from, uint32_t *to) {
    const rcp_trace *trace = m->facts->trace;
    rcp_tid x = trace->events.at[a].tid, y = trace->events.at[b].tid;
    growth by = grown_by(m, y.v, trace->position[b], x.v);
    RCP_CHECK(by.value > trace->position[a]);
    *from = (uint32_t)rcp_trace_event_of(trace, x, by.value - 1).v;
    *to = (uint32_t)rcp_trace_event_of(trace, y, by.position).v;
}

bool rcp_must_order(const rcp_must *m, uint32_t a, uint32_t b) {
    const rcp_trace *trace = m->facts->trace;
    uint32_t x = trace->events.at[a].tid.v, y = trace->events.at[b].tid.v;
    return x == y ? trace->position[a] < trace->position[b] : known(m, y, trace->position[b], x) > trace->position[a];
}
