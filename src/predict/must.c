/* SPDX-License-Identifier: Apache-2.0 */
#include "predict/must.h"

#include <string.h>

typedef uint32_t *clock; /* by thread: how many of its events come before */

/* What comes before an event that others need, as long as somebody will ask. */
typedef struct mark {
    clock clock;
    uint32_t left;
} mark;

struct rcp_must {
    const rcp_run_facts *facts;
    size_t n;       /* threads */
    clock *threads; /* by thread; NULL: nothing of others comes before it yet */
    clock *objects; /* by object: what whoever is served by it comes after */
    clock *begins;  /* by thread: what its first event comes after; and, once it has ended, all that comes before it */
    clock *inits;   /* by object */
    bool without_opaque;
    rcp_map needed; /* event that another one needs by P1 → marks */
    RCP_VEC(mark) marks;
    uint8_t *serves; /* by object: is there only one that can serve? */
};

static mark *mark_of(rcp_must *m, uint32_t event) {
    uint32_t index = rcp_map_get(&m->needed, event);
    return index == RCP_MAP_NONE ? NULL : &m->marks.at[index];
}

static void expect_marks(rcp_must *m) {
    const rcp_observed *o = &m->facts->observed;
    for (size_t i = 0; i < o->needs.len; i++) {
        if (!mark_of(m, o->needs.at[i])) {
            rcp_map_set(&m->needed, o->needs.at[i], (uint32_t)m->marks.len);
            rcp_vec_push(&m->marks, ((mark){NULL, 0}));
        }
        mark_of(m, o->needs.at[i])->left++;
    }
}

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

rcp_must *rcp_must_create(const rcp_run_facts *facts, bool spurious_wakeups, bool without_opaque) {
    rcp_must *m = rcp_alloc_zero(1, sizeof *m);
    size_t objects = facts->trace->defs.objects.len;
    m->facts = facts;
    m->without_opaque = without_opaque;
    m->n = facts->trace->defs.threads.len;
    rcp_map_init(&m->needed);
    if (!without_opaque)
        expect_marks(m);
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
        rcp_release(clocks[i]);
    rcp_release(clocks);
}

void rcp_must_destroy(rcp_must *m) {
    size_t objects = m->facts->trace->defs.objects.len;
    release_all(m->threads, m->n);
    release_all(m->begins, m->n);
    release_all(m->objects, objects);
    release_all(m->inits, objects);
    for (size_t i = 0; i < m->marks.len; i++)
        rcp_release(m->marks.at[i].clock);
    rcp_vec_finish(&m->marks);
    rcp_map_finish(&m->needed);
    rcp_release(m->serves);
    rcp_release(m);
}

static void join(rcp_must *m, clock *to, clock from) {
    if (!from)
        return;
    if (!*to)
        *to = rcp_alloc_zero(m->n, sizeof **to);
    for (size_t t = 0; t < m->n; t++)
        (*to)[t] = from[t] > (*to)[t] ? from[t] : (*to)[t];
}

/* What comes after the event comes after all that the thread has seen, itself included. */
static void publish(rcp_must *m, clock *to, uint32_t tid, rcp_position position) {
    join(m, to, m->threads[tid]);
    if (!*to)
        *to = rcp_alloc_zero(m->n, sizeof **to);
    if ((*to)[tid] <= position)
        (*to)[tid] = position + 1;
}

/* P1 */
static void join_needs(rcp_must *m, clock *mine, uint32_t event) {
    size_t n = 0;
    const uint32_t *needs = m->without_opaque ? NULL : rcp_observed_needs(&m->facts->observed, (rcp_eid){event}, &n);
    for (size_t i = 0; i < n; i++) {
        mark *needed = mark_of(m, needs[i]);
        join(m, mine, needed->clock);
        if (--needed->left)
            continue;
        rcp_release(needed->clock);
        needed->clock = NULL;
    }
}

void rcp_must_add(rcp_must *m, uint32_t event) {
    const rcp_run_facts *f = m->facts;
    const rcp_event *e = rcp_run_facts_event(f, event);
    uint32_t tid = e->tid.v, uses = rcp_event_traits(e->kind)->uses;
    rcp_position position = f->trace->position[event];
    clock *mine = &m->threads[tid];
    if (!position)
        join(m, mine, m->begins[tid]);
    if (uses & RCP_USES_OBJECT)
        join(m, mine, m->inits[e->object.v]);
    if (uses & RCP_USES_LOCK)
        join(m, mine, m->inits[e->lock.v]);
    join_needs(m, mine, event);
    switch ((rcp_kind)e->kind) {
    case RCP_JOIN:
        if (e->outcome == RCP_DONE)
            join(m, mine, m->begins[e->child.v]);
        break;
    case RCP_WAKE:
        if (e->outcome == RCP_DONE && m->serves[e->object.v])
            join(m, mine, m->objects[e->object.v]);
        break;
    case RCP_SEM_WAIT:
    case RCP_BARRIER_LEAVE:
        if (e->outcome != RCP_FAILED && m->serves[e->object.v])
            join(m, mine, m->objects[e->object.v]);
        break;
    case RCP_ONCE_SKIP: join(m, mine, m->objects[e->object.v]); break;
    case RCP_FORK: publish(m, &m->begins[e->child.v], tid, position); break;
    case RCP_SIGNAL:
    case RCP_BROADCAST:
    case RCP_SEM_POST:
    case RCP_BARRIER_ENTER:
    case RCP_ONCE_END: publish(m, &m->objects[e->object.v], tid, position); break;
    case RCP_INIT: publish(m, &m->inits[e->object.v], tid, position); break;
    default: break;
    }
    mark *asked = m->marks.len ? mark_of(m, event) : NULL;
    if (asked)
        publish(m, &asked->clock, tid, position);
    if (position + 1 == rcp_trace_thread_len(f->trace, e->tid))
        publish(m, &m->begins[tid], tid, position);
}

bool rcp_must_before(const rcp_must *m, uint32_t tid, rcp_position position, uint32_t now) {
    return tid == now || (m->threads[now] && m->threads[now][tid] > position);
}
