/* SPDX-License-Identifier: Apache-2.0 */
#include "predict/must.h"

#include <string.h>

typedef uint32_t *clock; /* by thread: how many of its events come before */

struct rcp_must {
    const rcp_run_facts *facts;
    size_t n;       /* threads */
    clock *threads; /* by thread; NULL: nothing of others comes before it yet */
    clock *objects; /* by object: what whoever is served by it comes after */
    clock *begins;  /* by thread: what its first event comes after; and, once it has ended, all that comes before it */
    clock *inits;   /* by object */
    clock line;
    bool without_opaque;
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

rcp_must *rcp_must_create(const rcp_run_facts *facts, bool spurious_wakeups, bool without_opaque) {
    rcp_must *m = rcp_alloc_zero(1, sizeof *m);
    size_t objects = facts->trace->defs.objects.len;
    m->facts = facts;
    m->without_opaque = without_opaque;
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
        rcp_release(clocks[i]);
    rcp_release(clocks);
}

void rcp_must_destroy(rcp_must *m) {
    size_t objects = m->facts->trace->defs.objects.len;
    release_all(m->threads, m->n);
    release_all(m->begins, m->n);
    release_all(m->objects, objects);
    release_all(m->inits, objects);
    rcp_release(m->line);
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
    bool in_line =
        !m->without_opaque && f->observed.line.len && (e->kind == RCP_END || rcp_run_facts_in_line(f, event));
    if (in_line)
        join(m, mine, m->line);
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
    if (in_line && e->kind != RCP_END)
        publish(m, &m->line, tid, position);
    if (position + 1 == rcp_trace_thread_len(f->trace, e->tid))
        publish(m, &m->begins[tid], tid, position);
}

bool rcp_must_before(const rcp_must *m, uint32_t tid, rcp_position position, uint32_t now) {
    return tid == now || (m->threads[now] && m->threads[now][tid] > position);
}
