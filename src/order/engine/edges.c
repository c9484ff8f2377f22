/* SPDX-License-Identifier: Apache-2.0 */
#include "order/engine/edges.h"

void rcp_edges_init(rcp_edges *edges, rcp_order_frame *frame) {
    *edges = (rcp_edges){.frame = frame, .clocks = &frame->clocks};
}

void rcp_edges_finish(rcp_edges *edges) {
    for (size_t i = 0; i < edges->objects.len; i++) {
        rcp_object_edges *object = &edges->objects.at[i];
        rcp_vec_finish(&object->init.senders);
        rcp_vec_finish(&object->all.senders);
        for (int k = 0; k < 2; k++) {
            rcp_vec_finish(&object->give[k].senders);
            rcp_vec_finish(&object->take[k].senders);
        }
        rcp_vec_finish(&object->gives);
        rcp_vec_finish(&object->takes);
    }
    rcp_vec_finish(&edges->objects);
}

static rcp_object_edges *object_at(rcp_edges *edges, rcp_obj object) {
    while (edges->objects.len <= object.v)
        rcp_vec_push(&edges->objects, (rcp_object_edges){0});
    return &edges->objects.at[object.v];
}

static void acquire(rcp_edges *edges, rcp_runner *runner, rcp_obj object, rcp_mode mode) {
    rcp_order_frame *frame = edges->frame;
    rcp_object_edges *lock = object_at(edges, object);
    if (!frame->rules->loose) {
        rcp_channel_receive_lock(edges->clocks, &lock->give[RCP_EXCLUSIVE], runner);
        if (mode == RCP_EXCLUSIVE)
            rcp_channel_receive_lock(edges->clocks, &lock->give[RCP_SHARED], runner);
    }
    if (frame->rules->acquires)
        frame->rules->acquires(frame, runner, object.v);
    if (frame->rules->sections)
        rcp_locks_acquire(&frame->locks, runner, object.v, mode);
    if (!frame->rules->necessary)
        rcp_channel_send(edges->clocks, &lock->take[mode], runner);
}

static void release(rcp_edges *edges, rcp_runner *runner, rcp_obj object, rcp_mode mode) {
    rcp_order_frame *frame = edges->frame;
    if (frame->rules->sections && rcp_locks_ends(&frame->locks, runner->tid, object.v, mode)) {
        if (frame->rules->releases)
            frame->rules->releases(frame, runner, object.v);
        rcp_locks_pass(&frame->locks, runner, object.v, mode);
    }
    if (frame->rules->sections)
        rcp_locks_release(&frame->locks, runner, object.v, mode);
    if (!frame->rules->loose)
        rcp_channel_send(edges->clocks, &object_at(edges, object)->give[mode], runner);
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
    rcp_channel_receive(edges->clocks, &object_at(edges, event->lock)->init, runner);
    if (event->kind == RCP_WAIT)
        release(edges, runner, event->lock, RCP_EXCLUSIVE);
    else
        acquire(edges, runner, event->lock, RCP_EXCLUSIVE);
    if (!edges->frame->rules->necessary)
        rcp_channel_send(edges->clocks, &object_at(edges, event->lock)->all, runner);
}

/* One thread alone gives: keep what it gave, one by one. */
static void give(rcp_edges *edges, rcp_object_edges *object, const rcp_runner *runner, uint32_t number) {
    if (!rcp_order_facts_one_giver(edges->frame->facts, number))
        return;
    rcp_vec_push(&object->gives, (rcp_stamp){0});
    rcp_stamp_set(edges->clocks, &object->gives.at[object->gives.len - 1], runner);
}

/* A thread's j-th take needs j gives, less what there was at first. */
static void take(rcp_edges *edges, rcp_object_edges *object, rcp_runner *runner, uint64_t initial) {
    while (object->takes.len <= runner->tid)
        rcp_vec_push(&object->takes, 0);
    uint64_t taken = ++object->takes.at[runner->tid];
    if (taken > initial && taken - initial <= object->gives.len)
        rcp_clock_receive(edges->clocks, runner, object->gives.at[taken - initial - 1]);
}

/* What every schedule must keep. */
static void add_necessary(rcp_edges *edges, rcp_runner *runner, const rcp_event *event) {
    rcp_clocks *clocks = edges->clocks;
    rcp_object_edges *object = object_at(edges, event->object);
    uint64_t initial = edges->frame->defs->objects.at[event->object.v].initial;
    bool done = event->outcome == RCP_DONE;
    switch (event->kind) {
    case RCP_SIGNAL:
    case RCP_BROADCAST:
    case RCP_SEM_POST: give(edges, object, runner, event->object.v); break;
    case RCP_WAKE:
        if (done)
            take(edges, object, runner, 0);
        break;
    case RCP_SEM_WAIT:
        if (done)
            take(edges, object, runner, initial);
        break;
    case RCP_ONCE_END: rcp_channel_send(clocks, &object->give[0], runner); break;
    case RCP_ONCE_SKIP: rcp_channel_receive(clocks, &object->give[0], runner); break;
    case RCP_BARRIER_ENTER:
        if (rcp_order_facts_all_enter(edges->frame->facts, event->object.v, initial))
            enter_barrier(clocks, object, runner, initial);
        break;
    case RCP_BARRIER_LEAVE: rcp_channel_receive(clocks, &object->give[1], runner); break;
    case RCP_INIT: rcp_channel_send(clocks, &object->init, runner); break;
    default: break;
    }
}

/* What keeps the recorded outcome of every event in the recorded order. */
static void add_recorded(rcp_edges *edges, rcp_runner *runner, const rcp_event *event) {
    rcp_clocks *clocks = edges->clocks;
    rcp_object_edges *object = object_at(edges, event->object);
    bool done = event->outcome == RCP_DONE;
    switch (event->kind) {
    case RCP_ACQUIRE:
        if (!done)
            fail_to_acquire(clocks, object, runner, event->mode);
        break;
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
        enter_barrier(clocks, object, runner, edges->frame->defs->objects.at[event->object.v].initial);
        break;
    case RCP_BARRIER_LEAVE: rcp_channel_receive(clocks, &object->give[1], runner); break;
    case RCP_ONCE_SKIP: rcp_channel_receive(clocks, &object->give[0], runner); break;
    case RCP_INIT: rcp_channel_send(clocks, &object->init, runner); break;
    case RCP_DESTROY: rcp_channel_receive(clocks, &object->all, runner); break;
    default: /* WAIT, WAKE, ONCE_BEGIN, RELEASE */ break;
    }
    rcp_channel_send(clocks, &object->all, runner);
}

void rcp_edges_add(rcp_edges *edges, rcp_runner *runner, const rcp_event *event) {
    bool done = event->outcome == RCP_DONE, necessary = edges->frame->rules->necessary;
    rcp_channel_receive(edges->clocks, &object_at(edges, event->object)->init, runner);
    if (event->kind == RCP_WAKE && done && !necessary)
        rcp_channel_receive(edges->clocks, &object_at(edges, event->object)->give[0], runner);
    if (necessary)
        add_necessary(edges, runner, event);
    /* Whatever a WAKE learned from its condition is there before it passes the lock on. */
    if (event->kind == RCP_WAIT || event->kind == RCP_WAKE)
        add_lock(edges, runner, event);
    else if (event->kind == RCP_ACQUIRE && done)
        acquire(edges, runner, event->object, event->mode);
    else if (event->kind == RCP_RELEASE)
        release(edges, runner, event->object, event->mode);
    if (!necessary)
        add_recorded(edges, runner, event);
}

void rcp_edges_positions(const rcp_edges *edges, rcp_position_list *of, size_t n) {
    for (size_t i = 0; i < edges->objects.len; i++) {
        const rcp_object_edges *object = &edges->objects.at[i];
        rcp_channel_positions(&object->init, of, n);
        rcp_channel_positions(&object->all, of, n);
        for (int k = 0; k < 2; k++) {
            rcp_channel_positions(&object->give[k], of, n);
            rcp_channel_positions(&object->take[k], of, n);
        }
        for (size_t k = 0; k < object->gives.len; k++)
            rcp_stamp_position(object->gives.at[k], of, n);
    }
}
