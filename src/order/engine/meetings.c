/* SPDX-License-Identifier: Apache-2.0 */
#include "order/engine/meetings.h"

/* Rule (a) on one list: whose critical sections of a lock in common hold a conflicting access? `blind`: the event
 * writes and does not read. */
static void meet_touches(rcp_order_frame *frame, rcp_runner *runner, rcp_shared *shared, const rcp_touches *touches,
                         bool blind) {
    const rcp_runner *seen = rcp_runner_seen(runner);
    uint32_t set = rcp_locks_set(&frame->locks, runner->tid);
    for (uint32_t i = 0; i < touches->n; i++) {
        const rcp_touch *touch = &touches->at[i];
        if (touch->tid == runner->tid || !touch->set)
            continue;
        uint32_t knows = touch->tid < seen->len ? seen->at[touch->tid] : 0;
        if (rcp_locks_knows_all(&frame->locks, touch->tid, knows)) /* of many threads most are */
            continue;
        RCP_LOCKS_EACH_COMMON(&frame->locks, set, touch->set, lock, mode) {
            rcp_meeting meeting = {.release = rcp_locks_news(&frame->locks, (uint32_t)lock, touch->tid, (rcp_mode)mode,
                                                             touch->count, knows),
                                   .lock = (uint32_t)lock,
                                   .blind = blind && (touch->kind == RCP_WRITE || touch->kind == RCP_FREE),
                                   .shared = shared};
            if (meeting.release.count)
                frame->rules->meets(frame, runner, &meeting);
        }
    }
}

/* Over an edge of happens-before: the weak clock learns what the other's knew. */
static void receive_atomic(rcp_clocks *clocks, rcp_runner *runner, const rcp_atomic *other) {
    rcp_clock_take(clocks, runner, other->stamp);
    rcp_runner_join(clocks, runner->weak, other->weak);
}

/* An atomic access is a critical section by itself. */
static void meet_atomics(rcp_order_frame *frame, rcp_runner *runner, rcp_shared *shared, bool reads, bool writes) {
    uint32_t extra = shared->extra;
    for (size_t i = 0; extra && i < frame->extras->at.at[extra].atomics.len; i++) {
        rcp_atomic other = frame->extras->at.at[extra].atomics.at[i];
        if (other.stamp.tid == runner->tid || (!writes && !other.writes))
            continue;
        if (runner
                ->weak) /* the happens-before that such an order composes with has them in order, as the papers' has */
            receive_atomic(&frame->clocks, runner, &other);
        rcp_meeting meeting = {
            .release = other.stamp, .lock = RCP_NO_LOCK, .blind = !reads && other.writes, .shared = shared};
        frame->rules->meets(frame, runner, &meeting);
    }
}

void rcp_meet(rcp_order_frame *frame, rcp_runner *runner, rcp_shared *shared, bool reads, bool writes, bool atomic) {
    if (rcp_locks_set(&frame->locks, runner->tid)) {
        meet_touches(frame, runner, shared, &shared->writes, !reads);
        if (writes)
            meet_touches(frame, runner, shared, &shared->reads, false);
    }
    if (atomic)
        meet_atomics(frame, runner, shared, reads, writes);
}

void rcp_meet_freed(rcp_order_frame *frame, rcp_runner *runner, const rcp_origin *freed) {
    rcp_touch touch = {freed->stamp.tid, freed->stamp.count, freed->loc, RCP_FREE, 0, freed->set};
    rcp_touches one = {.at = &touch, .n = 1};
    meet_touches(frame, runner, NULL, &one, true);
}

void rcp_meet_racing(rcp_order_frame *frame, rcp_runner *runner, rcp_shared *shared, const rcp_touch *touch,
                     bool reads) {
    rcp_atomic other = {0};
    if (!rcp_past_find(&frame->past, touch->tid, touch->count, &other.stamp, &other.weak))
        return;
    if (runner->weak)
        receive_atomic(&frame->clocks, runner, &other);
    rcp_meeting meeting = {.release = other.stamp,
                           .lock = RCP_NO_LOCK,
                           .blind = !reads && (touch->kind == RCP_WRITE || touch->kind == RCP_FREE),
                           .shared = shared};
    frame->rules->meets(frame, runner, &meeting);
}
