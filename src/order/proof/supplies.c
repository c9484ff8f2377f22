/* SPDX-License-Identifier: Apache-2.0 */
#include "order/proof/supplies.h"

typedef struct object {
    RCP_VEC(uint64_t) given; /* posts, or ENTERs, so far; signals: the last one */
    uint64_t taken;          /* by waits */
    uint64_t holder;         /* 1 + the last acquire, while it is held; 0: none */
    uint64_t depth;
} object;

typedef struct pass {
    const rcp_trace *trace;
    rcp_order_graph *graph;
    object *objects;
} pass;

static void supply(pass *p, uint64_t from, uint64_t to) {
    uint32_t tid = p->trace->events.at[from].tid.v;
    if (tid != p->trace->events.at[to].tid.v)
        rcp_vec_push(&p->graph->edges, ((rcp_order_graph_edge){tid, p->trace->position[from] + 1, (uint32_t)to, 1}));
}

/* The generation that the thread entered last. */
static void leave(pass *p, const object *barrier, uint64_t eid, uint64_t members) {
    size_t i = barrier->given.len;
    while (i && p->trace->events.at[barrier->given.at[i - 1]].tid.v != p->trace->events.at[eid].tid.v)
        i--;
    if (!i || !members)
        return;
    for (size_t k = (i - 1) / members * members, end = k + members; k < end && k < barrier->given.len; k++)
        supply(p, barrier->given.at[k], eid);
}

static void take_lock(object *lock, uint64_t eid) {
    lock->holder = eid + 1;
    lock->depth++;
}

static void give_lock(object *lock) {
    if (lock->depth && !--lock->depth)
        lock->holder = 0;
}

static void look(pass *p, uint64_t eid, const rcp_event *e) {
    object *o = rcp_event_traits(e->kind)->uses & RCP_USES_OBJECT ? &p->objects[e->object.v] : NULL;
    uint64_t initial = o ? p->trace->defs.objects.at[e->object.v].initial : 0;
    bool done = e->outcome == RCP_DONE;
    switch (e->kind) {
    case RCP_SEM_POST:
    case RCP_BARRIER_ENTER: rcp_vec_push(&o->given, eid); break;
    case RCP_SEM_WAIT:
        if (done && ++o->taken > initial && o->taken - initial <= o->given.len)
            supply(p, o->given.at[o->taken - initial - 1], eid);
        break;
    case RCP_SIGNAL:
    case RCP_BROADCAST:
        o->given.len = 0;
        rcp_vec_push(&o->given, eid);
        break;
    case RCP_WAKE:
        if (done && o->given.len)
            supply(p, o->given.at[0], eid);
        take_lock(&p->objects[e->lock.v], eid);
        break;
    case RCP_WAIT: give_lock(&p->objects[e->lock.v]); break;
    case RCP_BARRIER_LEAVE: leave(p, o, eid, initial); break;
    case RCP_ACQUIRE:
        if (done)
            take_lock(o, eid);
        else if (o->holder)
            supply(p, o->holder - 1, eid);
        break;
    case RCP_RELEASE: give_lock(o); break;
    default: break;
    }
}

void rcp_supplies_find(const rcp_trace *trace, rcp_order_graph *graph) {
    size_t n = trace->defs.objects.len;
    pass p = {.trace = trace, .graph = graph, .objects = rcp_alloc_zero(n + 1, sizeof *p.objects)};
    for (uint64_t i = 0; i < trace->events.len; i++)
        look(&p, i, &trace->events.at[i]);
    for (size_t i = 0; i < n; i++)
        rcp_vec_finish(&p.objects[i].given);
    rcp_release(p.objects);
}
