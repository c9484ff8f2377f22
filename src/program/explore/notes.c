/* SPDX-License-Identifier: Apache-2.0 */
/* The recorded run, executed once for what an explorer must know of it; and the hooks by which a run that is explored,
 * or noted, is seen. */
#include "program/explore/state.h"

#include "base/limits.h"
#include "base/hash.h"
#include "base/varint.h"
#include "program/explore/hooks.h"
#include "program/telling/notes.h"
#include "program/ir/steps.h"

#include <string.h>

rcp_course *rcp_explorer_course(rcp_explorer *explorer, uint32_t thread) {
    uint32_t *index = rcp_map_at(&explorer->course_index, thread);
    if (*index == RCP_MAP_NONE) {
        *index = (uint32_t)explorer->courses.len;
        rcp_vec_push(&explorer->courses, rcp_alloc_zero(1, sizeof(rcp_course)));
    }
    return explorer->courses.at[*index];
}

static bool is_global(const rcp_exploring *x) { return x->phase == RCP_PHASE_NOTING || x->phase == RCP_PHASE_RECORDED; }

/* --- records --- */

/* Who gave way when is of no account for a thread on its own; a stop before a handler says where that ran. */
static bool is_dropped(const rcp_log_record *r, const rcp_log_record *next) {
    return r->tag == RCP_LOG_SLICE ||
           (r->tag == RCP_LOG_STOP && (next->tag != RCP_LOG_CALLBACK || next->thread != r->thread));
}

static bool is_miss(const rcp_log_record *r) { return r->tag == RCP_LOG_MISS || r->tag == RCP_LOG_MISS_ZERO; }

/* What it comes after: of an object's operation the others before it, of a change that was found the calls that may
 * have made it. */
static uint32_t rank_of(const rcp_exploring *x, const rcp_log_record *r) {
    if (is_miss(r))
        return x->pairs;
    uint32_t index = r->tag == RCP_LOG_SYNC ? rcp_map_get(&x->done_index, rcp_explore_object_key(r)) : RCP_MAP_NONE;
    return index == RCP_MAP_NONE ? 0 : x->done.at[index];
}

static void note(rcp_exploring *x, const rcp_explore_lane *lane, const rcp_log_record *r) {
    rcp_noted_record noted = {.record = *r, .path = lane->path, .rank = rank_of(x, r), .made = x->pairs};
    if (is_miss(r)) {
        noted.changed = x->changed;
        noted.was = x->was;
    }
    rcp_vec_push(&lane->course->records, noted);
    if (is_miss(r))
        rcp_map_set(&x->explorer->unseen, r->address >> 6, 1);
    if (r->tag == RCP_LOG_SYNC && r->op == RCP_SYNC_DIVIDE)
        rcp_ranges_set(&x->explorer->divided, r->address, r->address + 1, 0);
    if (r->tag == RCP_LOG_ALLOC && r->address - RCP_EXPLORE_HEAP < RCP_EXPLORE_HEAP_SIZE) {
        uint64_t end = r->address + r->size + 32;
        x->explorer->heap = end > x->explorer->heap ? end : x->explorer->heap;
    }
}

/* The call that returns. */
static void note_return(rcp_exploring *x, const rcp_explore_lane *lane) {
    const rcp_machine *m = &x->run->m;
    size_t i = lane->course->asked.len, depth = rcp_run_strand(x->run, lane->thread)->frames.len;
    while (i && lane->course->asked.at[i - 1].depth != depth)
        i--;
    if (i) {
        lane->course->asked.at[i - 1].has_waited = lane->course->asked.at[i - 1].turn != m->turns;
        lane->course->asked.at[i - 1].returned = x->pairs;
    }
}

static void take(rcp_exploring *x, const rcp_log_record *r, bool dropped) {
    rcp_explore_lane *lane = rcp_explore_lane_of(x, r->thread);
    if (!dropped) {
        if (x->phase == RCP_PHASE_NOTING)
            note(x, lane, r);
        if (x->phase == RCP_PHASE_NOTING &&
            (r->tag == RCP_LOG_RETURN || r->tag == RCP_LOG_RETURN_0 || r->tag == RCP_LOG_RETURN_BYTES))
            note_return(x, lane);
        if (r->tag == RCP_LOG_CALLBACK) {
            rcp_vec_push(&lane->callbacks, (uint32_t)lane->next_record);
            lane->is_given = false;
        }
        if (is_global(x))
            lane->next_record++;
        lane->has_begun |= r->tag == RCP_LOG_THREAD;
        if (lane->asks_error && r->tag == RCP_LOG_RETURN) {
            lane->error = r->value;
            lane->asks_error = false;
        }
    }
    if (x->phase != RCP_PHASE_NOTING)
        rcp_log_writer_put(&x->writer, r);
    x->acts++;
    rcp_explore_sync_done(x, r);
    rcp_explore_objects_done(x, r);
}

/* The first function of a thread, with another argument than in the recorded run. */
static void give(rcp_exploring *x, rcp_log_record *r) {
    uint8_t *bytes = rcp_alloc(2 * RCP_VARINT_MAX), *end = rcp_varint_put(rcp_varint_put(bytes, 0), x->lane->given);
    rcp_vec_push(&x->bytes, bytes);
    r->bytes = bytes;
    r->end = end;
}

void rcp_explore_present(rcp_exploring *x) {
    static const rcp_log_record nothing = {.tag = RCP_LOG_END};
    rcp_machine *m = &x->run->m;
    rcp_explore_lane *lane = x->lane;
    m->next = 0;
    x->has_record = true;
    if (lane->queued < lane->queue.len) {
        m->record = lane->queue.at[lane->queued];
        return;
    }
    lane->queue.len = lane->queued = 0;
    bool is_there = !lane->is_off && !lane->is_asking && lane->next_record < lane->course->records.len;
    m->record = is_there ? lane->course->records.at[lane->next_record].record : nothing;
    m->record.thread = lane->thread;
    if (m->record.tag == RCP_LOG_CALLBACK && lane->is_given && m->record.size == 1)
        give(x, &m->record);
    if (m->record.tag == RCP_LOG_MISS || m->record.tag == RCP_LOG_MISS_ZERO || m->record.tag == RCP_LOG_STOP ||
        m->record.tag == RCP_LOG_THREAD_END || m->record.tag == RCP_LOG_FAULT)
        m->record.position += lane->shift;
}

/* The record at hand has been taken. */
rcp_code rcp_explore_advance(rcp_machine *m) {
    rcp_exploring *x = m->context;
    const rcp_log_record before = m->record;
    if (is_global(x)) {
        rcp_log *log = x->phase == RCP_PHASE_NOTING ? x->explorer->log : m->log;
        RCP_TRY(rcp_log_next(log, &m->record));
        if (x->has_record)
            take(x, &before, is_dropped(&before, &m->record));
        x->has_record = true;
        m->next = 0;
        return RCP_OK;
    }
    rcp_explore_lane *lane = x->lane;
    if (before.tag != RCP_LOG_END) {
        rcp_explore_pass_time(x, &before);
        take(x, &before, false);
        if (lane->queued < lane->queue.len)
            lane->queued++;
        else
            lane->next_record++;
    }
    rcp_explore_present(x);
    return RCP_OK;
}

rcp_code rcp_explore_left(rcp_machine *m, rcp_strand *t) {
    rcp_exploring *x = m->context;
    rcp_explore_lane *lane = rcp_explore_lane_of(x, t->number);
    const rcp_outside *row = rcp_explore_row(x, t);
    lane->asks_error = row && row->roles & RCP_ROLE_ERRNO;
    if (!is_global(x)) {
        lane->is_asking = true;
        rcp_explore_present(x);
        return RCP_OK;
    }
    rcp_asked asked;
    rcp_explore_ask(x, t, &asked);
    asked.rank = x->pairs;
    asked.returned = UINT32_MAX; /* as long as it has not */
    asked.turn = m->turns;
    rcp_explore_made(x, &asked);
    rcp_explore_note_written(x, t, &asked);
    lane->next_call++;
    if (x->phase == RCP_PHASE_NOTING) {
        rcp_explore_note_call(x, t);
        asked.first = (uint32_t)lane->next_record;
        asked.path = lane->path;
        rcp_vec_push(&lane->course->asked, asked);
    }
    return RCP_OK;
}

/* --- callbacks --- */

static void resume_after(rcp_exploring *x, rcp_explore_lane *lane, const rcp_noted_record *called) {
    if (!rcp_explore_may_skip(lane, called->end)) {
        rcp_explore_stop(x, RCP_EXPLORE_OPAQUE, "it returns without a call that the recorded run made");
        return;
    }
    lane->next_record = called->end;
    while (lane->next_call < lane->course->asked.len && lane->course->asked.at[lane->next_call].first < called->end)
        lane->next_call++;
    lane->is_off = false;
    rcp_explore_present(x);
}

void rcp_explore_returns(rcp_machine *m, const uint64_t *slots, int32_t n) {
    rcp_exploring *x = m->context;
    rcp_explore_lane *lane = rcp_explore_lane_of(x, m->current->number);
    uint64_t result = n ? rcp_hash_bytes(slots, (size_t)n * sizeof *slots) : 0;
    if (!lane->callbacks.len)
        return;
    rcp_noted_record *called = &lane->course->records.at[lane->callbacks.at[--lane->callbacks.len]];
    if (x->phase == RCP_PHASE_NOTING) {
        called->result = result;
        called->end = (uint32_t)lane->next_record;
        called->returns_at = m->current->position;
        return;
    }
    if (is_global(x))
        return;
    lane->shift = m->current->position - called->returns_at;
    if (result != called->result)
        rcp_explore_stop(x, RCP_EXPLORE_INPUT, "a function that outside code has called returns something else");
    else
        resume_after(x, lane, called);
}

/* --- events --- */

typedef struct touched {
    uint64_t address, size;
} touched;

/* What the event touches: up to two stretches. */
static unsigned list_touched(const rcp_strand *t, const rcp_ins *ins, const uint64_t *R, touched to[2]) {
    const rcp_layout *layouts = t->frames.at[t->frames.len - 1].routine->layouts.at;
    uint64_t address = R[ins->a];
    switch (ins->op) {
    case RCP_INS_LOAD_8:
    case RCP_INS_LOAD_16:
    case RCP_INS_LOAD_32:
    case RCP_INS_LOAD_64: to[0] = (touched){address, UINT64_C(1) << (ins->op - RCP_INS_LOAD_8)}; return 1;
    case RCP_INS_STORE_8:
    case RCP_INS_STORE_16:
    case RCP_INS_STORE_32:
    case RCP_INS_STORE_64: to[0] = (touched){address, UINT64_C(1) << (ins->op - RCP_INS_STORE_8)}; return 1;
    case RCP_INS_LOAD_WIDE:
    case RCP_INS_STORE_WIDE: to[0] = (touched){address, layouts[ins->b].size}; return 1;
    case RCP_INS_RMW:
    case RCP_INS_EXCHANGE: to[0] = (touched){address, rcp_atomic_size(ins)}; return 1;
    case RCP_INS_COPY:
        to[0] = (touched){address, R[ins->d]};
        to[1] = (touched){R[ins->b], R[ins->d]};
        return R[ins->d] ? 2 : 0;
    case RCP_INS_FILL: to[0] = (touched){address, R[ins->d]}; return R[ins->d] ? 1 : 0;
    default: return 0;
    }
}

static uint64_t instruction_of(const rcp_strand *t, const rcp_ins *ins) {
    const rcp_routine *routine = t->frames.at[t->frames.len - 1].routine;
    return rcp_notes_function(routine) * UINT64_C(0x9e3779b97f4a7c15) ^ (uint64_t)(ins - routine->code.at);
}

/* What the bytes of a line hold that are in the mask. */
static uint64_t held(const uint8_t line[64], uint64_t mask) {
    uint8_t bytes[64] = {0};
    for (unsigned i = 0; i < 64; i++)
        bytes[i] = mask >> i & 1 ? line[i] : 0;
    return rcp_hash_bytes(bytes, sizeof bytes);
}

void rcp_explore_note_miss(rcp_machine *m, rcp_strand *t, const rcp_ins *ins, const uint8_t bytes[64]) {
    (void)t, (void)ins;
    rcp_exploring *x = m->context;
    uint8_t before[64];
    rcp_space_read(m->space, m->record.address, before, sizeof before);
    x->changed = 0;
    for (unsigned i = 0; i < 64; i++)
        x->changed |= (uint64_t)(before[i] != bytes[i]) << i;
    x->was = held(before, x->changed);
    rcp_space_write(m->space, m->record.address, bytes, 64);
}

/* The record has a whole line. What recorded code has in it is as it is here, which need not be as it was; the rest has
 * changed by code outside, if that found what it found then. */
static void fit_line(rcp_exploring *x, const rcp_noted_record *noted) {
    rcp_machine *m = &x->run->m;
    const uint8_t *then = noted->record.tag == RCP_LOG_MISS ? noted->record.bytes : NULL;
    rcp_space_read(m->space, m->record.address, x->line, sizeof x->line);
    if (held(x->line, noted->changed) != noted->was)
        rcp_explore_stop(x, RCP_EXPLORE_MEMORY, "0x%llx was written by code outside, and by recorded code before that",
                         (unsigned long long)m->record.address);
    for (unsigned i = 0; i < sizeof x->line; i++)
        if (noted->changed >> i & 1)
            x->line[i] = then ? then[i] : 0;
    m->record.tag = RCP_LOG_MISS;
    m->record.bytes = x->line;
}

/* A record that waits for a position counts only where the thread is where it was then. */
static void compare_way(rcp_exploring *x, uint64_t position) {
    const rcp_machine *m = &x->run->m;
    rcp_explore_lane *lane = x->lane;
    if (m->record.tag != RCP_LOG_MISS && m->record.tag != RCP_LOG_MISS_ZERO && m->record.tag != RCP_LOG_STOP &&
        m->record.tag != RCP_LOG_FAULT)
        return;
    if (m->record.position > position)
        return;
    const rcp_noted_record *noted = &lane->course->records.at[lane->next_record];
    if (m->record.position == position && noted->path == lane->path && m->record.tag != RCP_LOG_FAULT) {
        /* whichever of the calls before it changed this, it must have been made: here they may come in another order */
        if (is_miss(&m->record) && (x->all_made < noted->rank || x->explorer->writes_seen))
            rcp_explore_stop(x, RCP_EXPLORE_MEMORY, "0x%llx was written by code outside that may not have run yet",
                             (unsigned long long)m->record.address);
        if (is_miss(&m->record))
            fit_line(x, noted);
        return;
    }
    lane->is_off = true;
    rcp_explore_present(x);
}

/* The thread stood before this event, then others went on: it is not made now, and perhaps never was. */
static bool is_stopped(const rcp_exploring *x, uint64_t position) {
    const rcp_log_record *r = &x->run->m.record;
    return (r->tag == RCP_LOG_STOP || r->tag == RCP_LOG_SLICE) && r->position <= position;
}

/* Here the instruction faulted when it was recorded: what it touches is no object, and what would come of that now, a
 * handler or the end of all, is not known. */
static bool faulted(const rcp_exploring *x, const touched *at, unsigned n) {
    const rcp_log_record *r = &x->run->m.record;
    for (unsigned i = 0; i < n; i++)
        if (r->tag == RCP_LOG_FAULT && r->value && r->address - at[i].address < at[i].size)
            return true;
    return false;
}

static bool is_missed(const rcp_exploring *x, uint64_t position, uint64_t line) {
    const rcp_log_record *r = &x->run->m.record;
    return is_miss(r) && r->position == position && r->address == line;
}

static bool reads_values(const rcp_ins *ins) {
    return (ins->op >= RCP_INS_LOAD_8 && ins->op <= RCP_INS_LOAD_64) || ins->op == RCP_INS_RMW ||
           ins->op == RCP_INS_EXCHANGE;
}

/* Its first stretch. */
static bool writes(const rcp_ins *ins) { return !(ins->op >= RCP_INS_LOAD_8 && ins->op <= RCP_INS_LOAD_WIDE); }

static bool is_in(const rcp_ranges *ranges, touched at) {
    rcp_range range;
    return ranges->live && rcp_ranges_next(ranges, at.address, &range) && range.lo < at.address + at.size;
}

/* Is there an object, and are its contents known? */
static bool is_safe(rcp_exploring *x, const rcp_ins *ins, uint64_t instruction, uint64_t position, touched at,
                    unsigned stretch) {
    if (!rcp_explore_is_object(x, at.address, at.size) ||
        (x->phase == RCP_PHASE_FREE &&
         !rcp_explore_is_within_base(x, x->run->m.current, ins, stretch, at.address, at.size))) {
        if (x->phase == RCP_PHASE_NOTING) {
            if (!is_stopped(x, position) && !faulted(x, &at, 1))
                rcp_map_set(&x->explorer->foreign, instruction, 1);
        } else if (x->lane->has_lost_errno) {
            rcp_explore_stop(x, RCP_EXPLORE_MEMORY, "memory of the C library, after errno was set");
            return false;
        } else if (rcp_map_get(&x->explorer->foreign, instruction) == RCP_MAP_NONE) {
            rcp_explore_stop(x, RCP_EXPLORE_ADDRESS, "an access of %llu bytes at 0x%llx, where no live object is",
                             (unsigned long long)at.size, (unsigned long long)at.address);
            return false;
        }
    }
    for (uint64_t line = at.address >> 6; x->phase == RCP_PHASE_FREE && line <= (at.address + at.size - 1) >> 6; line++)
        if (rcp_map_get(&x->explorer->unseen, line) != RCP_MAP_NONE && !is_missed(x, position, line << 6)) {
            rcp_explore_stop(x, RCP_EXPLORE_MEMORY, "0x%llx was written by code outside, when is not known",
                             (unsigned long long)(line << 6));
            return false;
        }
    if (x->phase == RCP_PHASE_FREE && !stretch && writes(ins) && rcp_explore_is_constant(x, at.address)) {
        rcp_explore_stop(x, RCP_EXPLORE_ADDRESS, "a write to 0x%llx, which is constant",
                         (unsigned long long)at.address);
        return false;
    }
    bool is_shown = !stretch && writes(ins) && is_in(&x->seen, at);
    x->explorer->writes_seen |= is_shown && x->phase == RCP_PHASE_NOTING;
    if (x->phase == RCP_PHASE_FREE && (is_shown || is_in(&x->explorer->guarded, at))) {
        /* what was answered later may have come of what was there; it may not be there now */
        rcp_explore_stop(x, RCP_EXPLORE_MEMORY,
                         "0x%llx, which others than the process can see, or which comes and goes",
                         (unsigned long long)at.address);
        return false;
    }
    bool reads = stretch || !writes(ins) || reads_values(ins);
    if (x->phase == RCP_PHASE_FREE && reads && rcp_explore_is_foreign(x, at.address) &&
        !is_missed(x, position, at.address & ~UINT64_C(63))) {
        rcp_explore_stop(x, RCP_EXPLORE_MEMORY, "a read of 0x%llx, which code outside may have changed",
                         (unsigned long long)at.address);
        return false;
    }
    if (x->phase == RCP_PHASE_FREE && reads && rcp_explore_is_written(x, at.address, at.size) &&
        !is_missed(x, position, at.address & ~UINT64_C(63))) {
        rcp_explore_stop(x, RCP_EXPLORE_MEMORY, "a read of 0x%llx, which a call outside has written",
                         (unsigned long long)at.address);
        return false;
    }
    if (x->phase == RCP_PHASE_FREE && reads_values(ins) && rcp_explore_is_fresh(x, at.address, at.size) &&
        !is_missed(x, position, at.address & ~UINT64_C(63))) {
        rcp_explore_stop(x, RCP_EXPLORE_MEMORY, "a read of 0x%llx, which nobody has written since it was allocated",
                         (unsigned long long)at.address);
        return false;
    }
    return true;
}

/* What was never written is, or is copied. */
static void note_written(rcp_exploring *x, const rcp_ins *ins, const touched *at, unsigned n) {
    if (ins->op == RCP_INS_COPY && n == 2)
        rcp_explore_copy_fresh(x, at[0].address, at[1].address, at[0].size);
    else if (n && writes(ins))
        rcp_explore_set_fresh(x, at[0].address, at[0].size, false);
}

/* memmove() may, memcpy() must not. */
static bool overlap(const rcp_strand *t, const rcp_ins *ins, const touched *at) {
    const rcp_routine *routine = t->frames.at[t->frames.len - 1].routine;
    LLVMValueRef call = routine->origin.at[ins - routine->code.at];
    uint64_t apart = at[0].address > at[1].address ? at[0].address - at[1].address : at[1].address - at[0].address;
    return apart && apart < at[0].size && call && rcp_steps_calls_intrinsic(call, "llvm.memcpy");
}

static void go_on(rcp_explore_lane *lane, uint64_t word) {
    lane->path = rcp_explore_mix(lane->path, word);
    lane->trail = rcp_explore_mix(lane->trail, word);
}

rcp_permit rcp_explore_event(rcp_machine *m, rcp_strand *t, const rcp_ins *ins, const uint64_t *R) {
    rcp_exploring *x = m->context;
    rcp_explore_lane *lane = rcp_explore_lane_of(x, t->number);
    bool is_event = rcp_left_of[ins->op] != RCP_LEFT_IN_D || ins->d > 0;
    uint64_t position = is_event ? t->position - rcp_ins_left(ins) : 0, instruction = instruction_of(t, ins);
    touched at[2];
    unsigned n = list_touched(t, ins, R, at);
    if (is_event && is_global(x) && rcp_machine_is_past_log(m, position))
        return RCP_STOP;
    if (is_event && x->phase != RCP_PHASE_NOTING) {
        if (x->phase == RCP_PHASE_FREE && position >= lane->limit && lane->end == RCP_EXPLORE_GOES_ON)
            rcp_explore_stop(x, RCP_EXPLORE_CODE, "code comes that can't be executed");
        if (x->trap && !is_global(x))
            rcp_explore_stop(x, RCP_EXPLORE_UNDEFINED, "before this, %s", x->trap);
        x->trap = NULL;
        if (position >= x->until || lane->end != RCP_EXPLORE_GOES_ON || rcp_explore_waits(x, lane, t, ins, R, position))
            return RCP_STOP;
    }
    if (!is_event || lane->mixed != position + 1) {
        go_on(lane, instruction);
        for (unsigned i = 0; i < n; i++) {
            go_on(lane, at[i].address);
            go_on(lane, at[i].size);
        }
        if (is_event)
            lane->mixed = position + 1;
    }
    if (x->phase == RCP_PHASE_FREE) {
        lane->way = rcp_explore_mix(lane->way, instruction);
        for (unsigned i = 0; i < n; i++)
            lane->way = rcp_explore_mix(lane->way, rcp_explore_place_of(x, at[i].address));
    }
    if (is_event && !is_global(x))
        compare_way(x, position);
    if (x->phase == RCP_PHASE_FREE && faulted(x, at, n))
        rcp_explore_stop(x, RCP_EXPLORE_ADDRESS, "an access that faulted when it was recorded");
    if (lane->end != RCP_EXPLORE_GOES_ON)
        return RCP_STOP;
    for (unsigned i = 0; i < n && (x->phase == RCP_PHASE_FREE || x->phase == RCP_PHASE_NOTING); i++)
        if (!is_safe(x, ins, instruction, position, at[i], i))
            return RCP_STOP;
    if (x->phase == RCP_PHASE_FREE && ins->op == RCP_INS_COPY && n == 2 && overlap(t, ins, at)) {
        rcp_explore_stop(x, RCP_EXPLORE_UNDEFINED, "memcpy() of bytes onto others of them");
        return RCP_STOP;
    }
    if (n && writes(ins))
        rcp_explore_forget_written(x, at[0].address, at[0].size);
    if (x->phase != RCP_PHASE_NOTING)
        note_written(x, ins, at, n);
    rcp_explore_acts(x, ins, R);
    return RCP_GO;
}

void rcp_explore_trap(rcp_machine *m, const char *what) {
    rcp_exploring *x = m->context;
    if (!is_global(x) && !x->trap)
        x->trap = what;
}

void rcp_explore_pushed(rcp_machine *m, const rcp_strand *t, uint64_t size, bool is_copy) {
    rcp_exploring *x = m->context;
    if (x->phase == RCP_PHASE_NOTING)
        return;
    rcp_explore_lane *lane = rcp_explore_lane_of(x, t->number);
    if (x->phase == RCP_PHASE_RECORDED && t->frames.len > lane->depth)
        lane->depth = t->frames.len;
    /* calls may nest only so much deeper than when recorded: frames have a part on the machine's stack, too */
    bool is_deep = t->frames.len > lane->depth + rcp_limit(RCP_LIMIT_EXPLORE_NESTING);
    bool is_large = size > rcp_limit(RCP_LIMIT_EXPLORE_STACK);
    if ((is_deep || is_large) && !is_global(x) && !x->trap)
        rcp_limit_reached(is_deep ? RCP_LIMIT_EXPLORE_NESTING : RCP_LIMIT_EXPLORE_STACK);
    if (is_large || t->stack < lane->bottom || is_deep)
        rcp_explore_trap(m, "a stack that is used up");
    else if (!is_copy)
        rcp_explore_set_fresh(x, t->stack, size, true);
}

void rcp_explore_pin(rcp_machine *m, uint64_t value) {
    go_on(rcp_explore_lane_of(m->context, m->current->number), value);
}

bool rcp_explore_value(rcp_machine *m) {
    rcp_exploring *x = m->context;
    rcp_explore_lane *lane = x->lane;
    if (is_global(x) ||
        (m->record.tag == RCP_LOG_VALUE && lane->course->records.at[lane->next_record].path == lane->path))
        return true;
    rcp_explore_stop(x, RCP_EXPLORE_OPAQUE, "a result that was recorded for something else");
    return false;
}
