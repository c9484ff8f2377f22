/* SPDX-License-Identifier: Apache-2.0 */
#include "predict/facts/must.h"

#include <string.h>

typedef uint32_t *clock; /* by thread: how many of its events come before */

/* From `position` of its thread on, `value` events of another one come before. */
typedef struct growth {
    rcp_position position, value;
} growth;

typedef RCP_VEC(growth) growths;

struct rcp_must {
    const rcp_run_facts *facts;
    size_t n;           /* threads */
    clock *threads;     /* by thread; NULL: nothing of others comes before it yet */
    growths **known_by; /* by thread, beside its clock: how each part of that has grown */
    clock *objects;     /* by object: what whoever is served by it comes after */
    clock *begins;      /* by thread: what its first event comes after; and, once it has ended, all before its end */
    clock *inits;       /* by object */
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
    m->known_by = rcp_alloc_zero(m->n + 1, sizeof *m->known_by);
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
        rcp_release(clocks[i]);
    rcp_release(clocks);
}

void rcp_must_destroy(rcp_must *m) {
    size_t objects = m->facts->trace->defs.objects.len;
    for (size_t t = 0; t < m->n; t++) {
        for (size_t other = 0; m->known_by[t] && other < m->n; other++)
            rcp_vec_finish(&m->known_by[t][other]);
        rcp_release(m->known_by[t]);
    }
    rcp_release(m->known_by);
    release_all(m->threads, m->n);
    release_all(m->begins, m->n);
    release_all(m->objects, objects);
    release_all(m->inits, objects);
    rcp_release(m->serves);
    rcp_release(m);
}

static void join(const rcp_must *m, clock *to, clock from) {
    if (!from)
        return;
    if (!*to)
        *to = rcp_alloc_zero(m->n, sizeof **to);
    for (size_t t = 0; t < m->n; t++)
        (*to)[t] = from[t] > (*to)[t] ? from[t] : (*to)[t];
}

/* From `position` of thread `tid` on, `value` events of thread `other` come before. */
static void learn(rcp_must *m, uint32_t tid, rcp_position position, uint32_t other, rcp_position value) {
    if (!m->threads[tid]) {
        m->threads[tid] = rcp_alloc_zero(m->n, sizeof *m->threads[tid]);
        m->known_by[tid] = rcp_alloc_zero(m->n, sizeof *m->known_by[tid]);
    }
    if (m->threads[tid][other] >= value)
        return;
    m->threads[tid][other] = value;
    growths *grown = &m->known_by[tid][other];
    RCP_DCHECK(!grown->len || grown->at[grown->len - 1].position <= position);
    if (grown->len && grown->at[grown->len - 1].position == position)
        grown->at[grown->len - 1].value = value;
    else
        rcp_vec_push(grown, ((growth){position, value}));
}

static void learn_all(rcp_must *m, uint32_t tid, rcp_position position, clock from) {
    for (uint32_t other = 0; from && other < m->n; other++)
        if (other != tid && from[other])
            learn(m, tid, position, other, from[other]);
}

/* The last time by the event at `position` of thread `tid` that it grew how many of thread `other` come before. */
static growth grown_by(const rcp_must *m, uint32_t tid, rcp_position position, uint32_t other) {
    if (!m->known_by[tid])
        return (growth){0};
    const growths *grown = &m->known_by[tid][other];
    size_t lo = 0, hi = grown->len;
    if (hi && grown->at[hi - 1].position <= position)
        return grown->at[hi - 1];
    while (lo < hi) { /* to the first that came later */
        size_t middle = lo + (hi - lo) / 2;
        if (grown->at[middle].position <= position)
            lo = middle + 1;
        else
            hi = middle;
    }
    return lo ? grown->at[lo - 1] : (growth){0};
}

/* How many events of thread `other` come before the event at `position` of thread `tid`. */
static rcp_position known(const rcp_must *m, uint32_t tid, rcp_position position, uint32_t other) {
    return grown_by(m, tid, position, other).value;
}

void rcp_must_learn(rcp_must *m, uint32_t event, uint32_t tid, rcp_position position) {
    uint32_t by = rcp_run_facts_event(m->facts, event)->tid.v;
    rcp_position at = m->facts->trace->position[event];
    if (by == tid || (m->threads[tid] && m->threads[tid][by] > at))
        return;
    for (uint32_t other = 0; m->known_by[by] && other < m->n; other++)
        if (other != tid && other != by)
            learn(m, tid, position, other, known(m, by, at, other));
    learn(m, tid, position, by, at + 1);
}

/* What comes after the event comes after all that the thread has seen, itself included. */
static void publish(const rcp_must *m, clock *to, uint32_t tid, rcp_position position) {
    join(m, to, m->threads[tid]);
    if (!*to)
        *to = rcp_alloc_zero(m->n, sizeof **to);
    if ((*to)[tid] <= position)
        (*to)[tid] = position + 1;
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
        learn_all(m, tid, position, m->begins[tid]);
    if (uses & RCP_USES_OBJECT)
        learn_all(m, tid, position, m->inits[e->object.v]);
    if (uses & RCP_USES_LOCK)
        learn_all(m, tid, position, m->inits[e->lock.v]);
    learn_needs(m, event, tid, position);
    switch ((rcp_kind)e->kind) {
    case RCP_JOIN:
        if (e->outcome == RCP_DONE)
            learn_all(m, tid, position, m->begins[e->child.v]);
        break;
    case RCP_WAKE:
        if (e->outcome == RCP_DONE && m->serves[e->object.v])
            learn_all(m, tid, position, m->objects[e->object.v]);
        break;
    case RCP_SEM_WAIT:
    case RCP_BARRIER_LEAVE:
        if (e->outcome != RCP_FAILED && m->serves[e->object.v])
            learn_all(m, tid, position, m->objects[e->object.v]);
        break;
    case RCP_ONCE_SKIP: learn_all(m, tid, position, m->objects[e->object.v]); break;
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
