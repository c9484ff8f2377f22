/* SPDX-License-Identifier: Apache-2.0 */
#include "order/engine/sdp.h"

#include "order/engine/cells.h"
#include "order/engine/frame.h"

static void meets(rcp_order_frame *frame, rcp_runner *runner, const rcp_meeting *meeting) {
    if (!meeting->blind)
        rcp_clock_take(&frame->clocks, runner->weak, meeting->release);
    else if (meeting->shared && /* else it was freed twice: there is nothing to read */
             !rcp_runner_knows(runner->weak, meeting->release.tid, meeting->release.count))
        rcp_extra_delay(&frame->clocks, rcp_order_extra(frame, meeting->shared), runner->tid, meeting->release);
}

/* `stamp` is news for the locks that the thread holds, but for `but`. */
static void tell_held(rcp_order_frame *frame, uint32_t tid, uint32_t but, rcp_clock clock, rcp_stamp stamp) {
    const rcp_lock_holder *holder = tid < frame->locks.threads.len ? &frame->locks.threads.at[tid] : NULL;
    for (size_t i = 0; holder && i < holder->at.len; i++)
        if (holder->at.at[i].lock != but) {
            rcp_clock *acquired = &rcp_mend_lock_at(&frame->mend, holder->at.at[i].lock)->acquired;
            rcp_clock_join(&frame->clocks, acquired, clock);
            rcp_clock_join_stamp(&frame->clocks, acquired, stamp);
        }
}

static void meets_mended(rcp_order_frame *frame, rcp_runner *runner, const rcp_meeting *meeting) {
    meets(frame, runner, meeting);
    if (!meeting->blind)
        return;
    rcp_clock_join_stamp(&frame->clocks, rcp_mend_thread(&frame->mend, runner->tid), meeting->release);
    tell_held(frame, runner->tid, meeting->lock, (rcp_clock){0}, meeting->release);
}

static void reads(rcp_order_frame *frame, rcp_runner *runner, struct rcp_shared *shared) {
    if (shared->extra)
        rcp_extra_take(&frame->clocks, rcp_order_extra(frame, shared), runner->weak);
}

static void acquires(rcp_order_frame *frame, rcp_runner *runner, uint32_t lock) {
    rcp_clock *mine = rcp_mend_thread(&frame->mend, runner->tid);
    rcp_clock released = rcp_mend_lock_at(&frame->mend, lock)->released;
    rcp_clock_join(&frame->clocks, mine, released);
    tell_held(frame, runner->tid, lock, released, (rcp_stamp){0});
    rcp_clock_join(&frame->clocks, &rcp_mend_lock_at(&frame->mend, lock)->acquired, *mine);
}

/* Rule (b) on what the mend knows of the lock. */
static void releases(rcp_order_frame *frame, rcp_runner *runner, uint32_t lock) {
    rcp_mend_lock *state = rcp_mend_lock_at(&frame->mend, lock);
    const rcp_clock_slot *slot = &frame->clocks.slots.at[state->acquired.v];
    const uint32_t *known = slot->at; /* the array stays where it is; the slots may move */
    uint32_t threads = slot->len;
    for (uint32_t tid = 0; tid < threads; tid++)
        if (tid != runner->tid && known[tid])
            rcp_clock_take(&frame->clocks, runner->weak,
                           rcp_locks_latest(&frame->locks, lock, tid, RCP_EXCLUSIVE, known[tid]));
    rcp_clock_put(&frame->clocks, &state->released, *rcp_mend_thread(&frame->mend, runner->tid));
}

const rcp_rules rcp_rules_sdp = {.model = RCP_MODEL_SDP,
                                 .composes = true,
                                 .sections = true,
                                 .meets = meets_mended,
                                 .reads = reads,
                                 .acquires = acquires,
                                 .releases = releases};
const rcp_rules rcp_rules_sdp_published = {
    .model = RCP_MODEL_SDP, .composes = true, .sections = true, .meets = meets, .reads = reads};
