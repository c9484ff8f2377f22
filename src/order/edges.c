/* SPDX-License-Identifier: Apache-2.0 */
#include "order/edges.h"

void rcp_edges_init(rcp_edges *edges, rcp_clocks *clocks, const rcp_defs *defs) {
    *edges = (rcp_edges){.clocks = clocks, .defs = defs};
}

void rcp_edges_finish(rcp_edges *edges) { rcp_vec_finish(&edges->objects); }

static rcp_object_edges *object_at(rcp_edges *edges, rcp_obj object) {
    while (edges->objects.len <= object.v)
        rcp_vec_push(&edges->objects, (rcp_object_edges){0});
    return &edges->objects.at[object.v];
}

static void acquire(rcp_clocks *clocks, rcp_object_edges *lock, rcp_runner *runner, rcp_mode mode) {
    rcp_channel_receive(clocks, &lock->give[RCP_EXCLUSIVE], runner);
    if (mode == RCP_EXCLUSIVE)
        rcp_channel_receive(clocks, &lock->give[RCP_SHARED], runner);
    rcp_channel_send(clocks, &lock->take[mode], runner);
}

/* It failed because somebody held the lock: who has acquired it must have done so. */
static void fail_to_acquire(rcp_clocks *clocks, rcp_object_edges *lock, rcp_runner *runner, rcp_mode mode) {
    rcp_channel_receive(clocks, &lock->take[RCP_EXCLUSIVE], runner);
    if (mode == RCP_EXCLUSIVE)
        rcp_channel_receive(clocks, &lock->take[RCP_SHARED], runner);
}

static void enter_barrier(rcp_clocks *clocks, rcp_object_edges *barrier, rcp_runner *runner, uint64_t members) {
    rcp_channel_send(clocks, &barrier->give[0], runner);
    if (++barrier->inside < members)
        return;
    barrier->inside = 0;
    rcp_channel_copy(clocks, &barrier->give[1], &barrier->give[0]);
}

/* The lock of a WAIT or WAKE: an event on it like any other. */
static void add_lock(rcp_edges *edges, rcp_runner *runner, const rcp_event *event) {
    rcp_object_edges *lock = object_at(edges, event->lock);
    rcp_channel_receive(edges->clocks, &lock->init, runner);
    if (event->kind == RCP_WAIT)
        rcp_channel_send(edges->clocks, &lock->give[RCP_EXCLUSIVE], runner);
    else
        acquire(edges->clocks, lock, runner, RCP_EXCLUSIVE);
    rcp_channel_send(edges->clocks, &lock->all, runner);
}

void rcp_edges_add(rcp_edges *edges, rcp_runner *runner, const rcp_event *event) {
    rcp_clocks *clocks = edges->clocks;
    rcp_object_edges *object = object_at(edges, event->object);
    bool done = event->outcome == RCP_DONE;
    rcp_channel_receive(clocks, &object->init, runner);
    if (event->kind == RCP_WAKE && done)
        rcp_channel_receive(clocks, &object->give[0], runner);
    if (event->kind == RCP_WAIT || event->kind == RCP_WAKE) {
        /* Whatever the WAKE learned from the condition is there before it passes the lock on. */
        add_lock(edges, runner, event);
        object = object_at(edges, event->object); /* the table may have moved */
    }
    switch (event->kind) {
    case RCP_ACQUIRE:
        if (done)
            acquire(clocks, object, runner, event->mode);
        else
            fail_to_acquire(clocks, object, runner, event->mode);
        break;
    case RCP_RELEASE: rcp_channel_send(clocks, &object->give[event->mode], runner); break;
    case RCP_SIGNAL:
    case RCP_BROADCAST:
    case RCP_SEM_POST:
    case RCP_ONCE_END: rcp_channel_send(clocks, &object->give[0], runner); break;
    case RCP_SEM_WAIT:
        rcp_channel_receive(clocks, done ? &object->give[0] : &object->take[0], runner);
        if (done)
            rcp_channel_send(clocks, &object->take[0], runner);
        break;
    case RCP_BARRIER_ENTER:
        enter_barrier(clocks, object, runner, edges->defs->objects.at[event->object.v].initial);
        break;
    case RCP_BARRIER_LEAVE: rcp_channel_receive(clocks, &object->give[1], runner); break;
    case RCP_ONCE_SKIP: rcp_channel_receive(clocks, &object->give[0], runner); break;
    case RCP_INIT: rcp_channel_send(clocks, &object->init, runner); break;
    case RCP_DESTROY: rcp_channel_receive(clocks, &object->all, runner); break;
    default: /* WAIT, WAKE, ONCE_BEGIN */ break;
    }
    rcp_channel_send(clocks, &object->all, runner);
}
