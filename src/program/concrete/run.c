/* SPDX-License-Identifier: Apache-2.0 */
/* A run along a schedule: each thread a coroutine with a machine of its own, over one memory. */
#include "program/concrete/concrete.h"
#include "program/concrete/state.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define STACK (UINT64_C(8) << 20) /* functions are decoded on it, by LLVM */

const rcp_noted *rcp_concrete_due(rcp_concrete *all) {
    while (all->cursor < all->schedule.len) {
        const rcp_noted *due = &all->notes.at.at[all->schedule.at[all->cursor]];
        if (due->kind != RCP_BRANCH)
            return due;
        all->cursor++;
    }
    return NULL;
}

void rcp_concrete_patch(rcp_concrete *all, rcp_space *space, uint64_t when) {
    size_t low = 0, high = all->patches.len;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (all->patches.at[middle].when < when)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < all->patches.len && all->patches.at[low].when == when; low++)
        rcp_space_write(space, all->patches.at[low].address, &all->patches.at[low].byte, 1);
}

/* --- coroutines --- */

void rcp_concrete_yield(rcp_lane *lane) { swapcontext(&lane->context, &lane->all->main); }

/* The address of the lane in two words: all that makecontext() hands over are ints. */
static void go_on(unsigned low, unsigned high) {
    rcp_lane *lane = (rcp_lane *)(uintptr_t)((uint64_t)high << 32 | low);
    rcp_machine *m = &lane->run.m;
    rcp_code code = rcp_machine_advance(m);
    while (code == RCP_OK && (m->record.tag != RCP_LOG_END || m->current->state == RCP_STRAND_STOPPED))
        code = rcp_run_follow(&lane->run);
    lane->code = code;
    lane->has_ended = true;
    for (;;)
        rcp_concrete_yield(lane);
}

static rcp_code begin(rcp_lane *lane) {
    void *stack = mmap(NULL, STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (stack == MAP_FAILED || getcontext(&lane->context))
        return rcp_fail(RCP_SYSTEM, "no memory for a thread's stack: %s", strerror(errno));
    lane->context.uc_stack.ss_sp = stack;
    lane->context.uc_stack.ss_size = STACK;
    lane->context.uc_link = NULL;
    uint64_t address = (uint64_t)(uintptr_t)lane;
    makecontext(&lane->context, (void (*)(void))go_on, 2, (unsigned)address, (unsigned)(address >> 32));
    lane->has_begun = true;
    return RCP_OK;
}

static rcp_code resume(rcp_lane *lane) {
    if (!lane->has_begun)
        RCP_TRY(begin(lane));
    lane->all->running = lane;
    swapcontext(&lane->all->main, &lane->context);
    return lane->code;
}

/* --- lanes --- */

static rcp_lane *lane_of(rcp_concrete *all, rcp_run *run, uint32_t thread) {
    uint32_t *index = rcp_map_at(&all->lane_index, thread);
    if (*index != RCP_MAP_NONE)
        return all->lanes.at[*index];
    *index = (uint32_t)all->lanes.len;
    rcp_lane *lane = rcp_alloc_zero(1, sizeof *lane);
    lane->all = all;
    lane->run = *run;
    rcp_machine *m = &lane->run.m;
    m->client = &rcp_concrete_client;
    m->context = lane;
    m->shadow = NULL;
    m->counts = NULL;
    m->turn_end = UINT64_MAX;
    m->current = rcp_run_strand(run, thread);
    m->current->shadow = NULL;
    rcp_view_init(&lane->view, m->space);
    rcp_vec_push(&all->lanes, lane);
    return lane;
}

/* The log's records by thread. Who gave way when is of no account any more; a stop before a handler says where it ran.
 */
static rcp_code divide(rcp_concrete *all, rcp_run *run, uint64_t end) {
    rcp_machine *m = &run->m;
    rcp_log_record record = m->record;
    while (record.tag != RCP_LOG_END && record.at < end) {
        rcp_log_record next;
        RCP_TRY(rcp_log_next(m->log, &next));
        bool is_dropped =
            record.tag == RCP_LOG_SLICE ||
            (record.tag == RCP_LOG_STOP && (next.tag != RCP_LOG_CALLBACK || next.thread != record.thread));
        if (!is_dropped)
            rcp_vec_push(&lane_of(all, run, record.thread)->records, record);
        record = next;
    }
    return RCP_OK;
}

rcp_code rcp_concrete_lanes(rcp_concrete *all, rcp_run *run, uint64_t end) {
    rcp_map_init(&all->lane_index);
    RCP_TRY(divide(all, run, end));
    const rcp_notes *notes = &all->notes;
    for (uint32_t i = 0; i < notes->at.len; i++)
        if (notes->at.at[i].kind != RCP_BRANCH)
            rcp_vec_push(&lane_of(all, run, notes->at.at[i].thread)->events, i);
    for (uint32_t i = 0; i < notes->calls.len; i++)
        rcp_vec_push(&lane_of(all, run, notes->calls.at[i].thread)->calls, i);
    if (notes->at.len)
        (void)rcp_vec_extend(&all->paths, notes->at.len);
    return RCP_OK;
}

/* --- the schedule --- */

static const char *name_of(const rcp_lane *lane) {
    return rcp_thread_names_borrow(lane->run.m.names, lane->run.m.current->number);
}

static rcp_code step(rcp_concrete *all, const rcp_noted *due) {
    rcp_lane *lane = all->lanes.at[rcp_map_get(&all->lane_index, due->thread)];
    size_t before = all->cursor;
    uint64_t event = all->notes.first + (uint64_t)(due - all->notes.at.at);
    if (!lane->has_ended)
        RCP_TRY(resume(lane));
    if (all->cursor != before)
        return RCP_OK;
    return rcp_fail(RCP_BAD_INPUT, "thread %s does not get to event %" PRIu64 ": %s", name_of(lane), event,
                    lane->has_ended ? "its records are over before" : "another one comes before");
}

static rcp_code reach_race(rcp_concrete *all, uint32_t event) {
    rcp_lane *lane = all->lanes.at[rcp_map_get(&all->lane_index, all->notes.at.at[event].thread)];
    if (!lane->has_ended)
        RCP_TRY(resume(lane));
    if (lane->is_there)
        return RCP_OK;
    return rcp_fail(RCP_BAD_INPUT, "thread %s does not get to its racing access, event %" PRIu64, name_of(lane),
                    all->notes.first + event);
}

/* A compare-and-exchange that would fail there only reads: then the other one must write. */
static rcp_code conflict(const rcp_concrete *all) {
    const rcp_noted *race[2] = {&all->notes.at.at[all->race[0]], &all->notes.at.at[all->race[1]]};
    for (int i = 0; i < 2; i++) {
        const rcp_lane *lane = all->lanes.at[rcp_map_get(&all->lane_index, race[i]->thread)];
        if (race[i]->kind == RCP_RMW && !lane->would_write && race[!i]->kind == RCP_READ)
            return rcp_fail(RCP_BAD_INPUT, "thread %s's compare-and-exchange would fail there, and the other one reads",
                            name_of(lane));
    }
    return RCP_OK;
}

static int by_time(const void *a, const void *b) {
    const rcp_patch *x = a, *y = b;
    return x->when < y->when ? -1 : x->when > y->when;
}

/* What was there before anybody looked: who looks first now need not be who has the record of it. */
static void put_lines(rcp_concrete *all) {
    const rcp_notes *notes = &all->notes;
    for (size_t i = 0; i < notes->lines.len && all->lanes.len; i++)
        for (unsigned k = 0; k < sizeof notes->lines.at[i].bytes; k++)
            if (notes->lines.at[i].mask >> k & 1)
                rcp_space_write(all->lanes.at[0]->view.space, notes->lines.at[i].address + k,
                                &notes->lines.at[i].bytes[k], 1);
}

rcp_code rcp_concrete_follow(rcp_concrete *all) {
    put_lines(all);
    if (all->patches.len)
        qsort(all->patches.at, all->patches.len, sizeof *all->patches.at, by_time);
    for (size_t i = 0; i < all->patches.len && all->patches.at[i].when <= all->notes.first && all->lanes.len; i++)
        rcp_space_write(all->lanes.at[0]->view.space, all->patches.at[i].address, &all->patches.at[i].byte, 1);
    const rcp_noted *due;
    while ((due = rcp_concrete_due(all)))
        RCP_TRY(step(all, due));
    all->is_racing = true;
    for (int i = 0; i < 2 && !all->is_noting; i++)
        RCP_TRY(reach_race(all, all->race[i]));
    return all->is_noting ? RCP_OK : conflict(all);
}
