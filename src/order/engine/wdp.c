/* SPDX-License-Identifier: Apache-2.0 */
#include "order/engine/wdp.h"

#include "order/engine/frame.h"

/* The event after which whatever depends on the read comes: the latest release of a lock in common. */
static rcp_stamp needed(rcp_order_frame *frame, const rcp_runner *runner, const rcp_source *source) {
    rcp_stamp after = source->writer;
    bool common = source->bound;
    RCP_LOCKS_EACH_COMMON(&frame->locks, rcp_locks_set(&frame->locks, runner->tid), source->set, lock, mode) {
        rcp_stamp release =
            rcp_locks_latest(&frame->locks, (uint32_t)lock, source->writer.tid, (rcp_mode)mode, source->writer.count);
        common = true;
        if (release.count > after.count)
            after = release;
    }
    if (!common && frame->published)
        return (rcp_stamp){0};
    return after;
}

/* A write without a lock in common is one that races with the read, unless it is ordered before it already: either way
 * it comes before what depends on the read (the paper's handling of races). */
static void reads_from(rcp_order_frame *frame, rcp_runner *runner, const rcp_source *source) {
    rcp_stamp after = needed(frame, runner, source);
    if (frame->implicit)
        rcp_clock_receive(&frame->clocks, runner, after);
    else
        rcp_pending_add(&frame->pending, runner, source->eid, after);
}

static void uses_freed(rcp_order_frame *frame, rcp_runner *runner, rcp_stamp freed) {
    if (!frame->published)
        rcp_clock_receive(&frame->clocks, runner, freed);
}

/* What decides the event, and whether what it writes has a value. */
static void executes(rcp_order_frame *frame, rcp_runner *runner, const rcp_event *event) {
    rcp_pending_take(&frame->pending, runner, frame->terms, event->cond, false);
    rcp_pending_take(&frame->pending, runner, frame->terms, event->value_term, true);
}

const rcp_rules rcp_rules_wdp = {.model = RCP_MODEL_WDP,
                                 .loose = true,
                                 .sections = true,
                                 .necessary = true,
                                 .reads_from = reads_from,
                                 .executes = executes,
                                 .uses_freed = uses_freed};
