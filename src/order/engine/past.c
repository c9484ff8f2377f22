/* SPDX-License-Identifier: Apache-2.0 */
#include "order/engine/past.h"

#include "base/limits.h"

#include <string.h>

void rcp_past_init(rcp_past *past, rcp_clocks *clocks) {
    *past = (rcp_past){.clocks = clocks, .most = rcp_limit(RCP_LIMIT_ORDER_PAST)};
}

void rcp_past_finish(rcp_past *past) {
    for (size_t t = 0; t < past->threads.len; t++)
        rcp_vec_finish(&past->threads.at[t].at);
    rcp_vec_finish(&past->threads);
}

/* The thread's first `n` entries go. */
static void drop(rcp_past *past, rcp_past_thread *thread, size_t n) {
    for (size_t i = 0; i < n; i++) {
        rcp_clock_drop(past->clocks, thread->at.at[i].clock);
        rcp_clock_drop(past->clocks, thread->at.at[i].weak);
    }
    thread->at.len -= n;
    memmove(thread->at.at, thread->at.at + n, thread->at.len * sizeof *thread->at.at);
    past->kept -= n;
}

static void forget_some(rcp_past *past) {
    rcp_past_thread *longest = &past->threads.at[0];
    for (size_t t = 1; t < past->threads.len; t++)
        if (past->threads.at[t].at.len > longest->at.len)
            longest = &past->threads.at[t];
    size_t half = longest->at.len / 2;
    if (!half)
        return;
    longest->forgotten = longest->at.at[half].count - 1;
    drop(past, longest, half);
}

void rcp_past_note(rcp_past *past, const rcp_runner *runner) {
    while (past->threads.len <= runner->tid)
        rcp_vec_push(&past->threads, (rcp_past_thread){0});
    rcp_past_thread *thread = &past->threads.at[runner->tid];
    rcp_past_entry *last = thread->at.len ? &thread->at.at[thread->at.len - 1] : NULL;
    if (last && last->clock.v == runner->clock.v && (!runner->weak || last->weak.v == runner->weak->clock.v))
        return; /* somebody else had learned something */
    if (past->kept >= past->most)
        forget_some(past);
    rcp_vec_push(&thread->at, (rcp_past_entry){.count = runner->count});
    last = &thread->at.at[thread->at.len - 1];
    rcp_clock_put(past->clocks, &last->clock, runner->clock);
    if (runner->weak)
        rcp_clock_put(past->clocks, &last->weak, runner->weak->clock);
    if (++past->kept > past->peak)
        past->peak = past->kept;
}

/* The entry that stands for the event; SIZE_MAX: there is none. */
static size_t find(const rcp_past_thread *thread, uint32_t count) {
    size_t low = 0, high = thread->at.len; /* the first entry past it */
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (thread->at.at[middle].count <= count)
            low = middle + 1;
        else
            high = middle;
    }
    return low - 1;
}

bool rcp_past_find(rcp_past *past, uint32_t tid, uint32_t count, rcp_stamp *stamp, rcp_clock *weak) {
    const rcp_past_thread *thread = tid < past->threads.len ? &past->threads.at[tid] : NULL;
    size_t i = thread && count > thread->forgotten ? find(thread, count) : SIZE_MAX;
    if (i == SIZE_MAX) {
        past->missing++;
        return false;
    }
    *stamp = (rcp_stamp){thread->at.at[i].clock, tid, count};
    *weak = thread->at.at[i].weak;
    return true;
}

void rcp_past_let_go(rcp_past *past, uint32_t tid, uint32_t count) {
    if (tid >= past->threads.len)
        return;
    rcp_past_thread *thread = &past->threads.at[tid];
    size_t i = find(thread, count + 1);
    if (count <= thread->forgotten || i == SIZE_MAX || !i)
        return;
    thread->forgotten = count;
    drop(past, thread, i);
}
