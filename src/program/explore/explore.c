/* SPDX-License-Identifier: Apache-2.0 */
#include "program/explore/explore.h"

#include "base/file.h"
#include "base/limits.h"
#include "base/hash.h"
#include "base/text.h"
#include "program/explore/hooks.h"
#include "program/explore/state.h"
#include "program/machine/reexecute.h"
#include "program/recording/recording.h"
#include "program/telling/recorded_events.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const char *rcp_explore_end_name(rcp_explore_end end) {
    static const char *const names[RCP_EXPLORE_ENDS] = {
        "goes on",   "opaque call", "other input", "synchronisation", "address",
        "undefined", "loop",        "code",        "memory",          "exit",
    };
    return names[end];
}

/* --- lanes --- */

rcp_explore_lane *rcp_explore_lane_of(rcp_exploring *x, uint32_t thread) {
    if (x->lately && x->lately->thread == thread)
        return x->lately;
    uint32_t *index = rcp_map_at(&x->lane_index, thread);
    if (*index == RCP_MAP_NONE) {
        *index = (uint32_t)x->lanes.len;
        rcp_explore_lane *lane = rcp_alloc_zero(1, sizeof *lane);
        lane->thread = thread;
        lane->course = rcp_explorer_course(x->explorer, thread);
        lane->limit = UINT64_MAX;
        rcp_vec_push(&x->lanes, lane);
    }
    return x->lately = x->lanes.at[*index];
}

void rcp_explore_stop(rcp_exploring *x, rcp_explore_end end, const char *format, ...) {
    rcp_explore_lane *lane = x->lane;
    const rcp_strand *t = x->run->m.current;
    if (lane->end != RCP_EXPLORE_GOES_ON)
        return;
    lane->end = end;
    int n = 0;
    if (t->frames.len && t->pc) {
        const rcp_routine *routine = t->frames.at[t->frames.len - 1].routine;
        size_t index = (size_t)(t->pc - routine->code.at);
        char place[RCP_PLACE] = "?";
        if (index < routine->origin.len && routine->origin.at[index])
            rcp_program_place(routine->origin.at[index], place);
        const char *slash = strrchr(place, '/');
        n = snprintf(lane->why, sizeof lane->why, "%s: ", slash ? slash + 1 : place);
        if (t->pc->op == RCP_INS_LEAVE)
            snprintf(lane->callee, sizeof lane->callee, "%s", rcp_explore_callee(x, t));
    }
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(lane->why + n, sizeof lane->why - (size_t)n, format, arguments);
    va_end(arguments);
}

/* Whoever has the baton goes no further: a STOP says so, where no record of its own does. Returns where it stands. */
static uint64_t stop_holder(rcp_exploring *x) {
    if (!x->writer.has_thread)
        return 0;
    const rcp_strand *holder = rcp_run_strand(x->run, x->writer.thread);
    uint64_t position = rcp_strand_stands(holder);
    if (holder->state == RCP_STRAND_STOPPED)
        rcp_log_writer_put(&x->writer, &(rcp_log_record){.tag = RCP_LOG_STOP, .position = position});
    return position;
}

static void give_baton(rcp_exploring *x, const rcp_explore_lane *lane) {
    if (x->writer.has_thread && x->writer.thread == lane->thread)
        return;
    uint64_t position = stop_holder(x);
    rcp_log_writer_put(&x->writer,
                       &(rcp_log_record){.tag = RCP_LOG_SLICE, .thread = lane->thread, .position = position});
}

/* May memory that the record brings to life be used? */
static bool is_unused(const rcp_exploring *x, const rcp_log_record *r) {
    return r->tag != RCP_LOG_ALLOC || rcp_explore_is_free(x, r->address, r->size);
}

/* Ours, or the system's, which has its thread-local variables, too. */
static bool is_same_stack(const rcp_log_record *a, const rcp_log_record *b) {
    return a->tag == RCP_LOG_THREAD && b->tag == RCP_LOG_THREAD &&
           (a->address == b->address || (a->native_lo < b->native_hi && b->native_lo < a->native_hi));
}

/* A thread that begins as the record says has the stack that another one had. Is that one over? In a run of its own it
 * would have another stack; here it waits, or its memory would be taken for the other's. */
static bool has_stack(const rcp_exploring *x, const rcp_log_record *r) {
    const rcp_machine *m = &x->run->m;
    for (size_t i = 0; r->tag == RCP_LOG_THREAD && i < m->strands.len; i++) {
        const rcp_strand *t = m->strands.at[i];
        if (t == m->current || !t->stack || t->state == RCP_STRAND_ENDED)
            continue;
        const rcp_course *course = rcp_explorer_course(x->explorer, t->number);
        for (size_t k = 0; k < course->records.len; k++)
            if (is_same_stack(&course->records.at[k].record, r))
                return false;
    }
    return true;
}

/* May the call that the lane is in go on? What it writes is recorded before what it has waited for. */
static bool is_enabled(const rcp_exploring *x, const rcp_explore_lane *lane, const rcp_log_record *r) {
    if (lane->queued < lane->queue.len)
        return rcp_explore_is_enabled(x, lane, r, 0);
    size_t i = lane->next_record;
    while (i + 1 < lane->course->records.len && (r->tag == RCP_LOG_EFFECT || r->tag == RCP_LOG_FILL))
        r = &lane->course->records.at[++i].record;
    return rcp_explore_is_enabled(x, lane, r, lane->course->records.at[i].rank);
}

/* Is it a thread of code that is not recorded? What it does, and when, may hang on whatever it sees of the others. (By
 * its first record: one that waits in that code before it first calls recorded functions is not known here. Telling
 * knows, by who made it.) */
static bool is_outsider(uint32_t thread, const rcp_course *course) {
    size_t i = 0;
    while (i < course->records.len && course->records.at[i].record.tag == RCP_LOG_THREAD)
        i++;
    return thread && course->records.len &&
           (i == course->records.len || course->records.at[i].record.tag != RCP_LOG_CALLBACK);
}

/* Has the lane something to do, before it stands at `until`? Its record is at hand. */
static bool can_move(rcp_exploring *x, uint64_t until) {
    rcp_explore_lane *lane = x->lane;
    const rcp_machine *m = &x->run->m;
    const rcp_strand *t = m->current;
    if (lane->end != RCP_EXPLORE_GOES_ON || t->state == RCP_STRAND_ENDED || t->state == RCP_STRAND_FAULTED)
        return false;
    if (x->is_twofold) {
        rcp_explore_stop(x, RCP_EXPLORE_MEMORY, "memory is mapped twice");
        return false;
    }
    if (t->state == RCP_STRAND_STOPPED || t->state == RCP_STRAND_RUNNING)
        return rcp_strand_stands(t) < until && !rcp_explore_still_waits(x, lane);
    if (lane->is_asking) {
        if (!rcp_explore_answer(x))
            return false;
        lane->is_asking = false;
        rcp_explore_present(x);
    }
    const rcp_log_record *r = &m->record;
    if (r->tag == RCP_LOG_END || r->tag == RCP_LOG_EXIT) /* others may still go on */
        return false;
    if (t->state == RCP_STRAND_OUTSIDE && (x->phase == RCP_PHASE_FREE || rcp_strand_stands(t) >= until) &&
        rcp_explore_may_wait(x)) {
        if (x->phase == RCP_PHASE_FREE)
            rcp_explore_stop(x, RCP_EXPLORE_OPAQUE, "a call that may wait for what others do");
        return false; /* the plan has its end where a later step of the thread is */
    }
    if ((x->phase == RCP_PHASE_FREE || until != RCP_RUN_END) && r->tag != RCP_LOG_THREAD &&
        is_outsider(lane->thread, lane->course)) {
        if (x->phase == RCP_PHASE_FREE)
            rcp_explore_stop(x, RCP_EXPLORE_OPAQUE, "a thread of code that is not recorded may wait for others");
        return false; /* it has no positions: nothing says how far a plan wants it, but to its end */
    }
    if (r->tag == RCP_LOG_FORK || r->tag == RCP_LOG_FAULT) {
        rcp_explore_stop(x, RCP_EXPLORE_CODE, "the process divides, or an instruction faults");
        return false;
    }
    if (rcp_explore_is_dead(x, r) && x->phase == RCP_PHASE_FREE) {
        rcp_explore_stop(x, RCP_EXPLORE_SYNC, "0x%" PRIx64 " is used, and was destroyed", r->address);
        return false;
    }
    if (!is_unused(x, r)) {
        rcp_explore_stop(x, RCP_EXPLORE_MEMORY, "0x%" PRIx64 " is given out while it is still in use", r->address);
        return false;
    }
    if (r->tag == RCP_LOG_FREE && x->phase == RCP_PHASE_FREE && rcp_map_get(&x->blocks, r->address) == RCP_MAP_NONE) {
        rcp_explore_stop(x, RCP_EXPLORE_ADDRESS, "0x%" PRIx64 " is freed, and is no live block", r->address);
        return false;
    }
    return has_stack(x, r) && is_enabled(x, lane, r);
}

static void choose(rcp_exploring *x, rcp_explore_lane *lane) {
    rcp_machine *m = &x->run->m;
    x->lane = lane;
    m->current = rcp_run_strand(x->run, lane->thread);
    rcp_explore_present(x);
}

/* Runs the lane until it stands at `until`, waits, or has ended. *moved: it has done something. */
static rcp_code run_lane(rcp_exploring *x, rcp_explore_lane *lane, uint64_t until, bool *moved) {
    rcp_machine *m = &x->run->m;
    choose(x, lane);
    x->until = until;
    while (can_move(x, until)) {
        give_baton(x, lane);
        *moved = true;
        rcp_log_record *r = &m->record;
        const rcp_strand *t = m->current;
        if (r->tag == RCP_LOG_RETURN || r->tag == RCP_LOG_RETURN_0 || r->tag == RCP_LOG_RETURN_BYTES)
            r->check = RCP_LOG_CHECK(t->position, t->stack);
        RCP_TRY(rcp_run_follow(x->run));
    }
    return RCP_OK;
}

/* --- phases --- */

/* The recorded run, as far as the plan begins with it. */
static rcp_code begin_as_recorded(rcp_exploring *x) {
    rcp_machine *m = &x->run->m;
    const rcp_explore_plan *plan = x->plan;
    x->until = UINT64_MAX;
    while (plan->turn && m->record.tag != RCP_LOG_END) {
        const rcp_strand *t = m->current;
        if (m->turns + (m->record.tag == RCP_LOG_SLICE) >= plan->turn) /* a thread that was stopped goes on at once */
            x->until = plan->last.until;
        if (m->turns >= plan->turn) {
            bool stands =
                (t->state == RCP_STRAND_STOPPED && rcp_strand_stands(t) >= x->until) || t->state == RCP_STRAND_ENDED;
            if (stands || m->record.tag == RCP_LOG_SLICE)
                break;
        }
        RCP_TRY(rcp_run_follow(x->run));
    }
    return RCP_OK;
}

static rcp_code follow_plan(rcp_exploring *x) {
    for (size_t i = 0; i < x->plan->n; i++) {
        const struct rcp_run_step step = x->plan->steps[i];
        rcp_explore_lane *lane = rcp_explore_lane_of(x, (uint32_t)step.thread);
        bool moved = false;
        lane->is_late =
            x->plan->is_free; /* what is to be over now and is not to be had has been waited for long enough */
        RCP_TRY(run_lane(x, lane, step.until, &moved));
        lane->is_late = false;
        const rcp_strand *t = x->run->m.current;
        bool is_done = step.until == RCP_RUN_END ? t->state == RCP_STRAND_ENDED : rcp_strand_stands(t) >= step.until;
        /* on its way to its next event a thread may end; it has had this one */
        if ((lane->end != RCP_EXPLORE_GOES_ON && !x->plan->is_free) || !is_done)
            return rcp_fail(RCP_BAD_INPUT, "thread %u does not get to event %" PRIu64 " of the plan: %s", lane->thread,
                            step.until, lane->end != RCP_EXPLORE_GOES_ON ? lane->why : "it waits");
    }
    return RCP_OK;
}

static uint64_t count_events(const rcp_exploring *x) {
    uint64_t n = 0;
    for (size_t i = 0; i < x->run->m.strands.len; i++)
        n += rcp_strand_stands(x->run->m.strands.at[i]);
    return n;
}

/* Of all threads: what they did after the plan, and where they stand. */
static uint64_t way_of(const rcp_exploring *x) {
    uint64_t way = 0;
    for (size_t i = 0; i < x->lanes.len; i++) {
        const rcp_explore_lane *lane = x->lanes.at[i];
        way += rcp_hash_join(rcp_hash_join(lane->thread, lane->way),
                             rcp_strand_stands(rcp_run_strand(x->run, lane->thread)));
    }
    return way;
}

/* Does it wait only because the recorded order is kept? */
static bool is_in_line(const rcp_exploring *x) {
    const rcp_explore_lane *lane = x->lane;
    const rcp_strand *t = x->run->m.current;
    if (t->state == RCP_STRAND_ENDED || lane->queued < lane->queue.len ||
        lane->next_record >= lane->course->records.len)
        return false;
    return lane->is_asking
               ? lane->is_in_line
               : rcp_explore_waits_in_line(x, &x->run->m.record, lane->course->records.at[lane->next_record].rank);
}

/* Each as far as it can, the one that takes another way first. */
static rcp_code go_on(rcp_exploring *x) {
    const rcp_machine *m = &x->run->m;
    uint64_t begun = count_events(x);
    for (size_t i = 0; i < x->explorer->courses.len; i++) /* threads that have not begun yet, too */
        RCP_MAP_EACH(&x->explorer->course_index, slot)
            if (slot->value == i)
                rcp_explore_lane_of(x, (uint32_t)slot->key);
    rcp_explore_lane *first = rcp_explore_lane_of(x, x->plan->first);
    const rcp_strand *t = rcp_run_strand(x->run, x->plan->first);
    const uint64_t first_most = rcp_limit(RCP_LIMIT_EXPLORE_FIRST_EVENTS),
                   all_most = rcp_limit(RCP_LIMIT_EXPLORE_EVENTS);
    const uint64_t few_events = rcp_limit(RCP_LIMIT_EXPLORE_FEW_EVENTS);
    const uint64_t turn_events = x->plan->in_turns ? few_events : rcp_limit(RCP_LIMIT_EXPLORE_TURN_EVENTS);
    uint64_t most = rcp_strand_stands(t) + first_most;
    first->is_late = x->plan->is_late;
    x->gives_way = true;
    bool moved = true;
    while (moved && count_events(x) - begun < all_most) {
        moved = false;
        uint64_t few = rcp_strand_stands(t) + few_events;
        RCP_TRY(run_lane(x, first, x->plan->in_turns && few < most ? few : most, &moved));
        first->is_late = false;
        for (size_t i = 0; i < x->lanes.len; i++) {
            rcp_explore_lane *lane = x->lanes.at[i];
            if (lane != first)
                RCP_TRY(
                    run_lane(x, lane, rcp_strand_stands(rcp_run_strand(x->run, lane->thread)) + turn_events, &moved));
        }
        for (size_t i = 0; i < x->lanes.len && !moved; i++) /* nothing is left but to wait no longer */
            if (x->lanes.at[i]->is_timed && x->lanes.at[i]->end == RCP_EXPLORE_GOES_ON)
                moved = x->lanes.at[i]->is_late = true;
    }
    if (moved)
        rcp_limit_reached(RCP_LIMIT_EXPLORE_EVENTS);
    if (first->end == RCP_EXPLORE_GOES_ON && rcp_strand_stands(t) >= most) {
        choose(x, first);
        rcp_limit_reached(RCP_LIMIT_EXPLORE_FIRST_EVENTS);
        rcp_explore_stop(x, RCP_EXPLORE_LOOP, "after %" PRIu64 " events there is no end", first_most);
    }
    for (size_t i = 0; i < x->lanes.len; i++) {
        choose(x, x->lanes.at[i]);
        if (x->lane->end == RCP_EXPLORE_GOES_ON && !has_stack(x, &m->record) &&
            rcp_explore_is_enabled(x, x->lane, &m->record, 0))
            rcp_explore_stop(x, RCP_EXPLORE_MEMORY, "the stack that it had is still another thread's");
        if (x->lane->end == RCP_EXPLORE_GOES_ON && is_in_line(x))
            rcp_explore_stop(x, RCP_EXPLORE_SYNC, "others come first, as they did in the recorded run");
    }
    x->way = way_of(x);
    x->explored->events = count_events(x);
    x->explored->free_events = x->explored->events - begun;
    return RCP_OK;
}

static rcp_code think_out(rcp_run *run) {
    rcp_machine *m = &run->m;
    rcp_exploring *x = m->context;
    x->run = run;
    rcp_log_writer_init(&x->writer, rcp_log_borrow_header(m->log));
    rcp_explore_objects_part(x);
    RCP_TRY(rcp_run_begin(run));
    RCP_TRY(begin_as_recorded(x));
    m->turn_end = UINT64_MAX;
    x->phase = x->plan->is_free ? RCP_PHASE_FREE : RCP_PHASE_PLAN;
    RCP_TRY(follow_plan(x));
    x->phase = RCP_PHASE_FREE;
    RCP_TRY(go_on(x));
    stop_holder(x); /* or whoever executes the log goes on for ever where two threads wait for each other by spinning */
    return RCP_OK;
}

/* The recorded run, to its end. */
static rcp_code note_all(rcp_run *run) {
    rcp_exploring *x = run->m.context;
    x->run = run;
    rcp_explore_objects_part(x);
    x->until = UINT64_MAX;
    return rcp_run_follow_log(run);
}

#define BOTH                                                                                                           \
    .interpret = rcp_explore_interpret, .advance = rcp_explore_advance, .left = rcp_explore_left,                      \
    .event = rcp_explore_event, .value = rcp_explore_value
static const rcp_client noting_client = {.lead = note_all, .miss = rcp_explore_note_miss, BOTH};
static const rcp_client thinking_client = {.lead = think_out, BOTH};

/* --- runs --- */

static void init(rcp_exploring *x, rcp_explorer *explorer, rcp_explore_phase phase) {
    *x = (rcp_exploring){.explorer = explorer, .phase = phase, .until = UINT64_MAX};
    rcp_map_init(&x->lane_index);
    rcp_map_init(&x->lock_index);
    rcp_map_init(&x->done_index);
    rcp_map_init(&x->made);
    rcp_map_init(&x->created);
    rcp_map_init(&x->ended);
    rcp_map_init(&x->blocks);
    rcp_ranges_init(&x->written);
    rcp_ranges_init(&x->objects);
    rcp_ranges_init(&x->freed);
    rcp_ranges_init(&x->seen);
}

static void finish(rcp_exploring *x) {
    for (size_t i = 0; i < x->lanes.len; i++) {
        rcp_vec_finish(&x->lanes.at[i]->queue);
        rcp_vec_finish(&x->lanes.at[i]->callbacks);
        rcp_release(x->lanes.at[i]);
    }
    rcp_vec_finish(&x->lanes);
    for (size_t i = 0; i < x->locks.len; i++)
        rcp_vec_finish(&x->locks.at[i].signals);
    rcp_vec_finish(&x->locks);
    rcp_vec_finish(&x->done);
    rcp_vec_finish(&x->extents);
    rcp_vec_finish(&x->placed);
    rcp_vec_finish(&x->standard);
    for (size_t i = 0; i < x->bytes.len; i++)
        rcp_release(x->bytes.at[i]);
    rcp_vec_finish(&x->bytes);
    rcp_map_finish(&x->lane_index);
    rcp_map_finish(&x->lock_index);
    rcp_map_finish(&x->done_index);
    rcp_map_finish(&x->made);
    rcp_map_finish(&x->created);
    rcp_map_finish(&x->ended);
    rcp_map_finish(&x->blocks);
    rcp_ranges_finish(&x->written);
    rcp_ranges_finish(&x->objects);
    rcp_ranges_finish(&x->freed);
    rcp_ranges_finish(&x->seen);
    if (x->phase != RCP_PHASE_NOTING)
        rcp_log_writer_finish(&x->writer);
}

rcp_code rcp_explorer_create(const char *directory, rcp_explorer **made) {
    rcp_explorer *explorer = rcp_alloc_zero(1, sizeof *explorer);
    explorer->directory = realpath(directory, NULL);
    rcp_map_init(&explorer->course_index);
    rcp_map_init(&explorer->foreign);
    rcp_map_init(&explorer->unseen);
    rcp_ranges_init(&explorer->guarded);
    rcp_ranges_init(&explorer->divided);
    char *log = rcp_file_take_path(directory, "log");
    rcp_code code = explorer->directory ? rcp_log_open(log, &explorer->log)
                                        : rcp_fail(RCP_SYSTEM, "%s: can't be found: %s", directory, strerror(errno));
    rcp_release(log);
    if (code == RCP_OK)
        code = rcp_recorded_events_may_be_answered(directory, &explorer->is_answered);
    if (code == RCP_OK) {
        explorer->names_threads = rcp_log_borrow_header(explorer->log)->unseen & RCP_UNSEEN_ENDS;
        explorer->until = rcp_recorded_events_part(directory).told; /* what the run is taken to be */
        if (explorer->until.byte)
            rcp_log_cut(explorer->log, explorer->until.byte);
    }
    if (code == RCP_OK) {
        rcp_exploring x;
        rcp_reexecution result;
        init(&x, explorer, RCP_PHASE_NOTING);
        const rcp_purpose purpose = {
            .client = &noting_client, .context = &x, .is_careful = true, .until = explorer->until};
        code = rcp_reexecute_for(directory, &purpose, &result);
        explorer->events = result.events;
        RCP_MAP_EACH(&explorer->course_index, slot) { /* it may look at all that others write */
            explorer->writes_seen |= is_outsider((uint32_t)slot->key, explorer->courses.at[slot->value]);
        }
        finish(&x);
    }
    if (code != RCP_OK) {
        rcp_explorer_destroy(explorer);
        return code;
    }
    *made = explorer;
    return RCP_OK;
}

void rcp_explorer_destroy(rcp_explorer *explorer) {
    if (!explorer)
        return;
    for (size_t i = 0; i < explorer->courses.len; i++) {
        rcp_vec_finish(&explorer->courses.at[i]->records);
        rcp_vec_finish(&explorer->courses.at[i]->asked);
        rcp_release(explorer->courses.at[i]);
    }
    rcp_vec_finish(&explorer->courses);
    rcp_map_finish(&explorer->course_index);
    rcp_map_finish(&explorer->foreign);
    rcp_map_finish(&explorer->unseen);
    rcp_ranges_finish(&explorer->guarded);
    rcp_ranges_finish(&explorer->divided);
    rcp_log_close(explorer->log);
    free(explorer->directory);
    rcp_release(explorer);
}

rcp_explore_outcome rcp_explorer_outcome(const rcp_explorer *explorer, uint32_t thread, uint64_t position) {
    uint32_t index = rcp_map_get(&explorer->course_index, thread);
    const rcp_course *course = index == RCP_MAP_NONE ? NULL : explorer->courses.at[index];
    size_t lo = 0, hi = course ? course->asked.len : 0;
    while (lo < hi) { /* positions ascend */
        size_t middle = lo + (hi - lo) / 2;
        if (course->asked.at[middle].at < position)
            lo = middle + 1;
        else
            hi = middle;
    }
    bool is_there = course && lo < course->asked.len && course->asked.at[lo].at == position;
    return is_there ? (rcp_explore_outcome)course->asked.at[lo].outcome : RCP_OUTCOME_ONE;
}

bool rcp_explorer_shares_stack(const rcp_explorer *explorer, uint32_t one, uint32_t other) {
    uint32_t index[2] = {rcp_map_get(&explorer->course_index, one), rcp_map_get(&explorer->course_index, other)};
    if (index[0] == RCP_MAP_NONE || index[1] == RCP_MAP_NONE)
        return false;
    const rcp_course *a = explorer->courses.at[index[0]], *b = explorer->courses.at[index[1]];
    for (size_t i = 0; i < a->records.len; i++)
        for (size_t k = 0; k < b->records.len && a->records.at[i].record.tag == RCP_LOG_THREAD; k++)
            if (is_same_stack(&a->records.at[i].record, &b->records.at[k].record))
                return true;
    return false;
}

static rcp_code save(const rcp_exploring *x, const char *to) {
    if (mkdir(to, 0777))
        return rcp_fail(RCP_SYSTEM, "%s: can't be made: %s", to, strerror(errno));
    char *log = rcp_file_take_path(to, "log");
    rcp_code code = rcp_recording_link_shared(to);
    if (code == RCP_OK)
        code = rcp_log_writer_save(&x->writer, log);
    rcp_release(log);
    return code;
}

void rcp_explore_calls_add(rcp_explore_calls *calls, rcp_explore_end end, const char *name, uint64_t times) {
    size_t i = 0;
    while (i < calls->n && (calls->at[i].end != end || strcmp(calls->at[i].name, name)))
        i++;
    if (!*name || i == RCP_EXPLORE_CALLS)
        return;
    if (i == calls->n) {
        calls->at[calls->n++] = (struct rcp_explore_call){.end = end};
        snprintf(calls->at[i].name, sizeof calls->at[i].name, "%s", name);
    }
    calls->at[i].times += times;
}

static void sum_up(const rcp_exploring *x) {
    rcp_explored *explored = x->explored;
    for (size_t i = 0; i < x->lanes.len; i++) {
        const rcp_explore_lane *lane = x->lanes.at[i];
        explored->ends[lane->end]++;
        if (lane->end == RCP_EXPLORE_OPAQUE || lane->end == RCP_EXPLORE_INPUT)
            rcp_explore_calls_add(&explored->calls, lane->end, lane->callee, 1);
        if (lane->thread == x->plan->first) {
            explored->end = lane->end;
            memcpy(explored->why, lane->why, sizeof explored->why);
        }
    }
}

/* Where a thread's code can't be executed further, all is done once more, and it ends before its last event. */
static bool limit_lane(const rcp_exploring *x, uint32_t *thread, uint64_t *limit) {
    if (x->phase != RCP_PHASE_FREE || !x->lane || !x->lane->mixed)
        return false;
    *thread = x->lane->thread;
    *limit = x->lane->mixed - 1;
    return true;
}

typedef struct limits {
    uint32_t thread[RCP_MOST_RETRIES];
    uint64_t at[RCP_MOST_RETRIES];
    size_t n;
} limits;

static rcp_code explore(rcp_exploring *x, const limits *l) {
    rcp_reexecution result;
    for (size_t i = 0; i < l->n; i++)
        rcp_explore_lane_of(x, l->thread[i])->limit = l->at[i];
    const rcp_purpose purpose = {
        .client = &thinking_client, .context = x, .is_careful = true, .until = x->explorer->until};
    return rcp_reexecute_for(x->explorer->directory, &purpose, &result);
}

/* Where malloc() puts a block is not ours to say: whoever looks at it must do the same wherever that is. All of it is
 * done once more with blocks that differ in what programs can ask of an address: its upper bits, who lies below whom,
 * what lies beside, whether one comes back that was freed. That both go the same way is no proof that every allocator
 * leads there: it is one for these two, and a run that any allocator may give is a run. What remains, an address that
 * none would give out, is for replay to say. */
static rcp_code compare_elsewhere(const rcp_exploring *x, const limits *l) {
    rcp_exploring other;
    rcp_explored ignored = {0};
    init(&other, x->explorer, RCP_PHASE_RECORDED);
    other.plan = x->plan;
    other.explored = &ignored;
    other.is_mirrored = true;
    rcp_limit_counts again = {0}, *before = rcp_limits_capture(&again); /* what is left out was counted for `x` */
    rcp_code code = explore(&other, l);
    rcp_limits_capture(before);
    bool is_same = code == RCP_OK && other.way == x->way;
    finish(&other);
    if (is_same || code == RCP_SYSTEM)
        return code;
    rcp_clear_causes();
    return rcp_fail(RCP_BAD_INPUT, "what the threads do hangs on where malloc() puts their blocks");
}

rcp_code rcp_explore(rcp_explorer *explorer, const rcp_explore_plan *plan, const char *to, rcp_explored *explored) {
    limits l;
    l.n = 0;
    for (;;) {
        rcp_exploring x;
        *explored = (rcp_explored){0};
        init(&x, explorer, RCP_PHASE_RECORDED);
        x.plan = plan;
        x.explored = explored;
        rcp_limit_counts reached = {0}, *before = rcp_limits_capture(&reached);
        uint32_t thread;
        uint64_t at;
        rcp_code code = explore(&x, &l);
        bool again = code != RCP_OK && limit_lane(&x, &thread, &at);
        if (again && l.n == rcp_limit(RCP_LIMIT_EXPLORE_RETRIES)) {
            rcp_limit_reached(RCP_LIMIT_EXPLORE_RETRIES);
            again = false;
        }
        rcp_limits_capture(before);
        if (!again)
            rcp_limits_add(&reached);
        if (code == RCP_OK) {
            sum_up(&x);
            code = x.placed.len ? compare_elsewhere(&x, &l) : RCP_OK;
        }
        if (code == RCP_OK)
            code = save(&x, to);
        finish(&x);
        if (!again)
            return code;
        l.thread[l.n] = thread;
        l.at[l.n++] = at;
        rcp_clear_causes();
    }
}
