/* SPDX-License-Identifier: Apache-2.0 */
#include "order/engine/c11.h"

#include "order/engine/frame.h"

static void takes(rcp_order_frame *frame, rcp_runner *runner, struct rcp_shared *shared, rcp_order order) {
    const rcp_extra *extra = &frame->extras->at.at[shared->extra];
    if (rcp_order_acquires(order)) {
        for (size_t i = 0; i < extra->heads.len; i++)
            rcp_clock_receive(&frame->clocks, runner, extra->heads.at[i]);
        return;
    }
    for (size_t i = 0; i < extra->heads.len; i++) {
        rcp_stamp head = extra->heads.at[i];
        if (!rcp_runner_knows(runner, head.tid, head.count))
            rcp_clock_join_stamp(&frame->clocks, &rcp_fences_of(&frame->fences, runner->tid)->taken, head);
    }
}

/* Heads of other threads' sequences, or all of them, end here. */
static void end_sequences(rcp_clocks *clocks, rcp_extra *extra, uint32_t but_of) {
    size_t kept = 0;
    for (size_t i = 0; i < extra->heads.len; i++)
        if (extra->heads.at[i].tid == but_of)
            extra->heads.at[kept++] = extra->heads.at[i];
        else
            rcp_clock_drop(clocks, extra->heads.at[i].clock);
    extra->heads.len = kept;
}

static rcp_stamp *head_of(rcp_extra *extra, uint32_t tid) {
    for (size_t i = 0; i < extra->heads.len; i++)
        if (extra->heads.at[i].tid == tid)
            return &extra->heads.at[i];
    rcp_vec_push(&extra->heads, (rcp_stamp){.tid = tid});
    return &extra->heads.at[extra->heads.len - 1];
}

static void leaves(rcp_order_frame *frame, const rcp_runner *runner, struct rcp_shared *shared,
                   const rcp_event *event) {
    const bool atomic = event->mode != RCP_PLAIN;
    if (shared->extra && shared->writer_kind != RCP_WRITER_ATOMIC)
        end_sequences(&frame->clocks, &frame->extras->at.at[shared->extra], UINT32_MAX);
    else if (shared->extra && event->kind != RCP_RMW)
        end_sequences(&frame->clocks, &frame->extras->at.at[shared->extra],
                      atomic && !frame->narrow ? runner->tid : UINT32_MAX);
    if (!atomic)
        return;
    const rcp_thread_fences *fences =
        runner->tid < frame->fences.threads.len ? &frame->fences.threads.at[runner->tid] : NULL;
    if (rcp_order_releases(event->mode)) {
        rcp_stamp_set(&frame->clocks, head_of(rcp_order_extra(frame, shared), runner->tid), runner);
    } else if (fences && fences->released.count) {
        rcp_stamp *head = head_of(rcp_order_extra(frame, shared), runner->tid);
        if (head->count < fences->released.count) {
            rcp_clock_put(&frame->clocks, &head->clock, fences->released.clock);
            head->count = fences->released.count;
        }
    }
}

static void fences(rcp_order_frame *frame, rcp_runner *runner, rcp_order order) {
    rcp_thread_fences *thread = rcp_fences_of(&frame->fences, runner->tid);
    if (rcp_order_acquires(order) && thread->taken.v) {
        rcp_runner_join(&frame->clocks, runner, thread->taken);
        rcp_clock_put(&frame->clocks, &thread->taken, (rcp_clock){0});
    }
    if (rcp_order_releases(order))
        rcp_stamp_set(&frame->clocks, &thread->released, runner);
}

/* Where both are atomic, or the writer is code that is not known, that has been seen to. */
static void reads_from(rcp_order_frame *frame, rcp_runner *runner, const rcp_source *source) {
    if (!source->bound)
        rcp_clock_receive(&frame->clocks, runner, source->writer);
}

static void uses_freed(rcp_order_frame *frame, rcp_runner *runner, rcp_stamp freed) {
    rcp_clock_receive(&frame->clocks, runner, freed);
}

const rcp_rules rcp_rules_c11 = {.model = RCP_MODEL_C11,
                                 .reads_from = reads_from,
                                 .uses_freed = uses_freed,
                                 .takes = takes,
                                 .leaves = leaves,
                                 .fences = fences};
