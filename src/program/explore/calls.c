/* SPDX-License-Identifier: Apache-2.0 */
/* Calls outside of a thread that is explored. An answer that was recorded is the answer to the same question: the same
 * call, at the same depth, with the same arguments, over memory that holds the same. In between, recorded calls may be
 * left out that nobody notices the lack of. What was not recorded is modelled, where that is known. */
#include "program/explore/state.h"

#include "base/limits.h"
#include "base/hash.h"
#include "program/telling/notes.h"

#include <string.h>

static const rcp_activation *top_of(const rcp_strand *t) { return &t->frames.at[t->frames.len - 1]; }

static const rcp_call *call_of(const rcp_strand *t) { return &top_of(t)->routine->calls.at[t->pc->b]; }

const char *rcp_explore_callee(const rcp_exploring *x, const rcp_strand *t) {
    const rcp_program *program = x->run->m.program;
    if (!t->pc->k)
        return call_of(t)->callee ? call_of(t)->name : "";
    const char *name;
    const rcp_outside_name *called;
    return rcp_program_outside_at(program, top_of(t)->registers[t->pc->a], &name, &called) ? name : "";
}

uint64_t rcp_explore_argument(const rcp_strand *t, size_t i) {
    const rcp_call *call = call_of(t);
    return i < call->arguments.len ? top_of(t)->registers[call->arguments.at[i]] : 0;
}

const rcp_outside *rcp_explore_row(const rcp_exploring *x, const rcp_strand *t) {
    const rcp_program *program = x->run->m.program;
    const rcp_outside *row = NULL;
    const char *name;
    const rcp_outside_name *called;
    if (!t->pc->k && call_of(t)->callee)
        row = call_of(t)->called.row;
    else if (t->pc->k && rcp_program_outside_at(program, top_of(t)->registers[t->pc->a], &name, &called))
        row = called->row;
    if (row && row->kind == RCP_OUTSIDE_UNKNOWN) /* what else it says is asked for, too */
        return rcp_linked_is_own(&program->linked, rcp_explore_callee(x, t)) ? NULL : row;
    row = row ? rcp_outside_of(program, rcp_explore_callee(x, t), row) : NULL;
    uint64_t words[16], stranger;
    size_t n = 0;
    for (; row && row->calls && n < 16 && n < call_of(t)->arguments.len; n++)
        words[n] = rcp_explore_argument(t, n);
    return row && rcp_outside_calls_stranger(program, row, words, n, &stranger) ? NULL : row;
}

bool rcp_explore_is_result_used(const rcp_strand *t) {
    const rcp_routine *routine = top_of(t)->routine;
    LLVMValueRef origin = routine->origin.at[t->pc - routine->code.at];
    return !origin || LLVMGetFirstUse(origin);
}

/* The strings of a va_list are in the log, where its call begins: the record at hand, or the one that would be if this
 * is the call that was recorded. */
static void take_strings(rcp_exploring *x, const rcp_strand *t, rcp_outside_call *made) {
    const rcp_explore_lane *lane = rcp_explore_lane_of(x, t->number);
    bool is_global = x->phase == RCP_PHASE_NOTING || x->phase == RCP_PHASE_RECORDED;
    if (!is_global && lane->next_record >= lane->course->records.len)
        return;
    const rcp_log_record *r = is_global ? &x->run->m.record : &lane->course->records.at[lane->next_record].record;
    if (r->tag != RCP_LOG_STRINGS || r->thread != t->number)
        return;
    made->strings = r->bytes;
    made->strings_end = r->end;
}

/* What a call finds besides: the thread's errno, which it may leave as it is or print. */
static uint32_t error_of(rcp_exploring *x, const rcp_strand *t) {
    uint64_t address = rcp_explore_lane_of(x, t->number)->error;
    uint32_t error = 0;
    if (address)
        rcp_space_read(x->run->m.space, address, &error, sizeof error);
    return error;
}

/* The format of a call that has one, with its NUL; 0: it has none, or that is too long. */
enum { FORMAT = 4096 };
static size_t read_format(const rcp_exploring *x, const rcp_strand *t, const rcp_outside *outside,
                          char format[FORMAT]) {
    bool is_list;
    int at = rcp_outside_format(outside, &is_list);
    uint64_t address = at < 0 ? 0 : rcp_explore_argument(t, (size_t)at);
    for (size_t n = 0; at >= 0 && n < FORMAT && rcp_space_holds(address + n, 1);) {
        rcp_space_read(x->run->m.space, address + n, &format[n], 1);
        if (!format[n++])
            return n;
    }
    return 0;
}

/* Does the format say what it reads, and is that all it does (%n)? A list has its strings in the log. */
static bool is_format_known(const rcp_exploring *x, const rcp_strand *t, const rcp_outside *outside) {
    char format[FORMAT];
    bool is_list;
    size_t strings, n = read_format(x, t, outside, format);
    return rcp_outside_format(outside, &is_list) < 0 || (n && rcp_outside_is_plain_format(format, n, &strings));
}

/* Memory that calls outside write is as it was until recorded code looks: who wrote it stands for what is there. */
static uint64_t mix_written(const rcp_exploring *x, uint64_t flow, uint64_t address, uint64_t size) {
    const uint64_t end = address + size;
    rcp_range by;
    for (uint64_t at = address; at < end && rcp_ranges_next(&x->written, at, &by) && by.lo < end; at = by.hi) {
        const uint64_t lo = by.lo > address ? by.lo : address, hi = by.hi < end ? by.hi : end;
        flow = rcp_explore_mix(rcp_explore_mix(rcp_explore_mix(flow, lo - address), hi - lo), by.value);
    }
    return flow;
}

bool rcp_explore_is_written(const rcp_exploring *x, uint64_t address, uint64_t size) {
    rcp_range by;
    return size && rcp_ranges_next(&x->written, address, &by) && by.lo < address + size;
}

void rcp_explore_forget_written(rcp_exploring *x, uint64_t address, uint64_t size) {
    if (rcp_explore_is_written(x, address, size))
        rcp_ranges_erase(&x->written, address, address + size);
}

void rcp_explore_note_written(rcp_exploring *x, const rcp_strand *t, const rcp_asked *asked) {
    uint64_t words[16];
    rcp_outside_call made = {.outside = rcp_explore_row(x, t), .arguments = words};
    for (; made.n < 16 && made.n < call_of(t)->arguments.len; made.n++)
        words[made.n] = rcp_explore_argument(t, made.n);
    rcp_outside_touch touch;
    for (const char *at = NULL; made.outside && rcp_outside_next(&made, x->run->m.space, &at, &touch);)
        if (strchr("wxM", touch.how) && touch.size)
            rcp_ranges_set(&x->written, touch.address, touch.address + touch.size,
                           (uint32_t)rcp_explore_mix(asked->flow, asked->function + asked->ins) >> 1);
}

/* What a pointer leads to that no row speaks of: text, or an object that has some. */
static uint64_t mix_given(rcp_exploring *x, uint64_t flow, uint64_t address, int steps) {
    enum { OBJECT = 32, TEXT = 4096 };
    uint8_t bytes[TEXT];
    uint64_t size = rcp_explore_block_size(x, address), n = 0;
    bool is_text = !size;
    for (bool goes_on = true; n < TEXT && goes_on && rcp_space_holds(address + n, 1); n++) {
        rcp_space_read(x->run->m.space, address + n, &bytes[n], 1);
        goes_on = n + 1 < size || (is_text && (n + 1 < OBJECT || bytes[n]));
    }
    flow = n ? rcp_explore_mix(flow, rcp_hash_bytes(bytes, n)) : flow;
    flow = mix_written(x, flow, address, n);
    for (uint64_t at = 0, word; steps > 1 && at + sizeof word <= n && at < OBJECT; at += sizeof word) {
        memcpy(&word, bytes + at, sizeof word);
        flow = rcp_space_holds(word, 1) ? mix_given(x, flow, word, steps - 1) : flow;
    }
    return flow;
}

/* What a call on an object is given besides what its row says: text that it takes in, and that comes out again. */
static uint64_t mix_besides(rcp_exploring *x, uint64_t flow, const rcp_outside_call *made) {
    enum { STEPS = 3 };
    for (size_t i = 0; i < made->n; i++) {
        rcp_outside_touch touch = {0};
        bool is_said = !rcp_space_holds(made->arguments[i], 1);
        for (const char *at = NULL; !is_said && rcp_outside_next(made, x->run->m.space, &at, &touch);)
            is_said = touch.address == made->arguments[i];
        flow = is_said ? flow : mix_given(x, flow, made->arguments[i], STEPS);
    }
    return flow;
}

/* `but`: an argument that does not count; 0: all count. */
static uint64_t flow_of(rcp_exploring *x, const rcp_strand *t, const rcp_outside *outside, bool takes, size_t but) {
    uint64_t words[16], flow = rcp_hash_bytes(rcp_explore_callee(x, t), strlen(rcp_explore_callee(x, t)));
    const rcp_call *call = call_of(t);
    rcp_outside_call made = {.outside = outside, .arguments = words};
    for (size_t i = 0; i < call->arguments.len; i++) {
        uint64_t word = top_of(t)->registers[call->arguments.at[i]];
        if (made.n < 16)
            words[made.n++] = word;
        if (takes && (!but || i != but))
            flow = rcp_explore_mix(flow, word);
    }
    /* What is in a va_list the machine has put there: what was given is in the way here, and no memory of ours has it.
     */
    if (takes && outside && rcp_outside_takes_list(outside)) {
        flow = rcp_explore_mix(flow, rcp_explore_lane_of(x, t->number)->trail);
        take_strings(x, t, &made);
    }
    if (takes && !(outside && (outside->model != RCP_MODEL_NONE || outside->roles & RCP_ROLE_ERRNO)))
        flow = rcp_explore_mix(flow, error_of(x, t));
    char format[FORMAT];
    size_t length = takes && outside ? read_format(x, t, outside, format) : 0;
    flow = length ? rcp_explore_mix(flow, rcp_hash_bytes(format, length)) : flow;
    made.block = made.n ? rcp_explore_block_size(x, words[0]) : 0;
    rcp_outside_touch touch = {0};
    for (const char *at = NULL; outside && rcp_outside_next(&made, x->run->m.space, &at, &touch);) {
        if (touch.size > UINT64_C(1) << 30) /* no object is so large: not what is read */
            continue;
        /* What is written counts as well: the log has of it what changed, and what did not may be otherwise here. */
        uint8_t *bytes = rcp_alloc(touch.size);
        rcp_space_read(x->run->m.space, touch.address, bytes, touch.size);
        flow = rcp_explore_mix(flow, rcp_hash_bytes(bytes, touch.size));
        if (touch.second) {
            rcp_space_read(x->run->m.space, touch.second, bytes, touch.size);
            flow = rcp_explore_mix(flow, rcp_hash_bytes(bytes, touch.size));
        }
        rcp_release(bytes);
        flow = mix_written(x, flow, touch.address, touch.size);
        flow = touch.second ? mix_written(x, flow, touch.second, touch.size) : flow;
    }
    return takes && outside && rcp_outside_is_object(outside) ? mix_besides(x, flow, &made) : flow;
}

/* What follows the function of a thread is what that is given. */
static size_t handed_on(const rcp_outside *starter) { return starter->starts + 1u; }

/* Nobody waits for it, and nothing that it leaves is looked at but by who calls it. */
static bool may_be_missed(const rcp_outside *row, rcp_outside_kind kind) {
    return row && (row->model == RCP_MODEL_SYNC || kind == RCP_OUTSIDE_PRINTS ||
                   (kind == RCP_OUTSIDE_HARMLESS && !(row->roles & RCP_ROLE_KEEPS)));
}

/* Does what is printed leave the program, so that nobody in it can know? */
static bool leaves(const rcp_exploring *x, const rcp_strand *t, const rcp_outside *outside) {
    int at = rcp_outside_stream(outside);
    uint64_t stream = at < 0 ? 0 : rcp_explore_argument(t, (size_t)at), word;
    bool is_standard = at < 0;
    for (size_t i = 0; i < x->standard.len && !is_standard; i++) {
        rcp_space_read(x->run->m.space, x->standard.at[i], &word, sizeof word);
        is_standard = word && word == stream;
    }
    return is_standard && !x->explorer->is_answered;
}

/* A stream that somebody may read again has a state behind it, and so has the locale where a result is asked for. */
static rcp_outside_kind kind_of(const rcp_exploring *x, const rcp_strand *t, const rcp_outside *outside) {
    rcp_outside_kind kind = outside ? (rcp_outside_kind)outside->kind : RCP_OUTSIDE_UNKNOWN;
    bool is_used = rcp_explore_is_result_used(t);
    if (kind == RCP_OUTSIDE_PRINTS && !leaves(x, t, outside))
        kind = RCP_OUTSIDE_PAIR;
    else if (kind == RCP_OUTSIDE_PRINTS && is_used)
        kind = RCP_OUTSIDE_SETTING;
    return !outside || is_format_known(x, t, outside) ? kind : RCP_OUTSIDE_UNKNOWN;
}

/* What the recorded run's calls say of all of it: memory that comes and goes, threads that are looked for. */
void rcp_explore_note_call(rcp_exploring *x, const rcp_strand *t) {
    const rcp_outside *row = rcp_explore_row(x, t);
    const uint64_t roles = row ? row->roles : 0;
    uint64_t words[16];
    size_t n = 0;
    for (; n < 16 && n < call_of(t)->arguments.len; n++)
        words[n] = rcp_explore_argument(t, n);
    if (roles & RCP_ROLE_PROTECTS && n > 1 && words[1] && rcp_space_holds(words[0], words[1]))
        rcp_ranges_set(&x->explorer->guarded, words[0], words[0] + words[1], 0);
    rcp_range seen;
    for (uint64_t at = 0; roles & RCP_ROLE_RESIZES && rcp_ranges_next(&x->seen, at, &seen); at = seen.hi)
        rcp_ranges_set(&x->explorer->guarded, seen.lo, seen.hi, 0);
    x->explorer->names_threads |= rcp_outside_names_threads(row, x->run->m.space, words, n);
}

/* Which threads have ended. */
static uint64_t sum_of_ended(const rcp_exploring *x) {
    uint64_t sum = 0;
    RCP_MAP_EACH(&x->ended, slot) {
        sum += rcp_explore_mix(UINT64_C(1) << 32, slot->key);
    }
    return sum;
}

void rcp_explore_ask(rcp_exploring *x, const rcp_strand *t, rcp_asked *asked) {
    const rcp_outside *outside = rcp_explore_row(x, t);
    rcp_outside_kind kind = kind_of(x, t, outside);
    bool takes = kind != RCP_OUTSIDE_PRINTS;
    uint64_t flow = flow_of(x, t, outside, takes, 0);
    bool starts =
        outside && outside->starts && rcp_program_at(x->run->m.program, rcp_explore_argument(t, outside->starts));
    *asked = (rcp_asked){.ins = (uint32_t)(t->pc - top_of(t)->routine->code.at),
                         .depth = (uint32_t)t->frames.len,
                         .function = rcp_notes_function(top_of(t)->routine),
                         .position = t->position,
                         .at = t->position - rcp_ins_left(t->pc),
                         .flow = flow,
                         .besides = starts ? flow_of(x, t, outside, takes, handed_on(outside)) : flow,
                         .kind = (uint8_t)kind,
                         .outcome = rcp_explore_outcome_of(outside),
                         .ended = sum_of_ended(x),
                         .sees_ends = outside &&
                                      (rcp_outside_beside(outside, 't') >= 0 || rcp_outside_beside(outside, 'n') >= 0),
                         .lasts = outside && outside->lasts,
                         .may_be_missed = may_be_missed(outside, kind)};
}

static bool has_state(uint8_t kind) {
    return kind == RCP_OUTSIDE_PAIR || kind == RCP_OUTSIDE_OBJECT || kind == RCP_OUTSIDE_STREAM ||
           kind == RCP_OUTSIDE_SOURCE || kind == RCP_OUTSIDE_UNKNOWN || kind == RCP_OUTSIDE_SETTING ||
           kind == RCP_OUTSIDE_THROWN;
}

static bool is_same_call(const rcp_asked *a, const rcp_asked *b) {
    return a->ins == b->ins && a->depth == b->depth && a->function == b->function;
}

bool rcp_explore_may_skip(const rcp_explore_lane *lane, size_t to) {
    for (size_t i = lane->next_call; i < lane->course->asked.len && lane->course->asked.at[i].first < to; i++)
        if (!lane->course->asked.at[i].may_be_missed)
            return false;
    return true;
}

void rcp_explore_made(rcp_exploring *x, const rcp_asked *asked) {
    if (!has_state(asked->kind))
        return;
    x->pairs++;
    rcp_map_set(&x->made, asked->rank, 1);
    while (rcp_map_get(&x->made, x->all_made) != RCP_MAP_NONE)
        x->all_made++;
    if (x->any_made <= asked->rank)
        x->any_made = asked->rank + 1;
}

/* A sleep may be shorter than it could be here if somebody looked at the clock after it who did so before it when
 * recorded; or the other way round where it began. Whoever may tell the time does not come any more then. */
static void go_by(rcp_exploring *x, const rcp_asked *asked) {
    x->is_ahead |= asked->lasts && (asked->returned > x->all_made || x->any_made > asked->rank);
}

void rcp_explore_pass_time(rcp_exploring *x, const rcp_log_record *r) {
    const rcp_explore_lane *lane = x->lane;
    const rcp_course *course = lane->course;
    bool is_recorded = lane->queued >= lane->queue.len && lane->next_record < course->records.len;
    const rcp_asked *asked = lane->next_call ? &course->asked.at[lane->next_call - 1] : NULL;
    if (r->tag == RCP_LOG_SYNC && r->outcome == RCP_SYNC_TIMEOUT)
        x->is_ahead |= !is_recorded || course->records.at[lane->next_record].made > x->all_made;
    if ((r->tag == RCP_LOG_RETURN || r->tag == RCP_LOG_RETURN_0) && asked && asked->lasts)
        x->is_ahead |= asked->returned > x->all_made; /* it may have begun before anything was left out */
}

static bool may_tell_time(const rcp_outside *row) {
    const uint32_t by = RCP_WITH_WORLD | RCP_WITH_CLOCK;
    return row &&
           ((row->kind == RCP_OUTSIDE_PAIR && (!row->with || row->with & by)) || row->kind == RCP_OUTSIDE_STREAM);
}

static void take_answer(rcp_exploring *x, const rcp_strand *t, size_t i) {
    rcp_explore_lane *lane = x->lane;
    const rcp_asked *asked = &lane->course->asked.at[i];
    lane->next_call = i + 1;
    lane->next_record = asked->first;
    lane->path = asked->path;
    lane->shift = t->position - asked->position;
    lane->is_off = false;
    rcp_explore_made(x, asked);
    rcp_explore_note_written(x, t, asked);
    go_by(x, asked);
}

/* Would the recorded answer give out memory that is somebody's now? */
static bool is_given_out(const rcp_exploring *x, const rcp_course *course, size_t call) {
    size_t end = call + 1 < course->asked.len ? course->asked.at[call + 1].first : course->records.len;
    for (size_t i = course->asked.at[call].first; i < end; i++) {
        const rcp_log_record *r = &course->records.at[i].record;
        if (r->tag == RCP_LOG_RETURN || r->tag == RCP_LOG_RETURN_0)
            return false;
        if (r->tag == RCP_LOG_FREE) /* realloc(): it may be the old one's place */
            return false;
        if (r->tag == RCP_LOG_ALLOC && !rcp_explore_is_free(x, r->address, r->size))
            return true;
    }
    return false;
}

/* The thread that is created is given something else than in the recorded run: it begins with that. */
static void hand_on(rcp_exploring *x, const rcp_strand *t, const rcp_course *course, size_t call) {
    const rcp_outside *row = rcp_explore_row(x, t);
    size_t end = call + 1 < course->asked.len ? course->asked.at[call + 1].first : course->records.len;
    for (size_t i = course->asked.at[call].first; i < end; i++) {
        const rcp_log_record *r = &course->records.at[i].record;
        if (r->tag != RCP_LOG_SYNC || r->op != RCP_SYNC_CREATE)
            continue;
        rcp_explore_lane *child = rcp_explore_lane_of(x, (uint32_t)r->address);
        child->is_given = true;
        child->given = rcp_explore_argument(t, handed_on(row));
        return;
    }
}

/* Synchronisation with other processes, with which the dead may take part. */
static bool is_silent(const rcp_course *course, size_t call) {
    size_t end = call + 1 < course->asked.len ? course->asked.at[call + 1].first : course->records.len;
    for (size_t i = course->asked.at[call].first; i < end; i++) {
        uint8_t tag = course->records.at[i].record.tag;
        if (tag == RCP_LOG_SYNC)
            return false;
        if (tag == RCP_LOG_RETURN || tag == RCP_LOG_RETURN_0)
            return true;
    }
    return true;
}

/* Of the objects that a call synchronises by, is one used by other processes in the recorded run? */
static bool is_divided(const rcp_exploring *x, const rcp_strand *t) {
    return rcp_explore_is_divided(x, rcp_explore_argument(t, 0)) ||
           rcp_explore_is_divided(x, rcp_explore_argument(t, 1));
}

/* Is what the call touches alive, as far as that is known? */
static bool has_live_memory(rcp_exploring *x, const rcp_strand *t) {
    uint64_t words[16];
    rcp_outside_call made = {.outside = rcp_explore_row(x, t), .arguments = words};
    for (; made.n < 16 && made.n < call_of(t)->arguments.len; made.n++)
        words[made.n] = rcp_explore_argument(t, made.n);
    rcp_outside_touch touch;
    for (const char *at = NULL; made.outside && rcp_outside_next(&made, x->run->m.space, &at, &touch);)
        if (rcp_explore_is_freed(x, touch.address, touch.size)) {
            rcp_explore_stop(x, RCP_EXPLORE_ADDRESS, "'%s' of memory that was freed", rcp_explore_callee(x, t));
            return false;
        }
    return true;
}

/* What others have done while it ran it may have waited for. */
static bool may_wait(const rcp_asked *asked) { return has_state(asked->kind) && asked->has_waited; }

bool rcp_explore_may_wait(const rcp_exploring *x) {
    const rcp_explore_lane *lane = x->lane;
    const rcp_strand *t = x->run->m.current;
    if (!t->frames.len || !t->pc || t->pc->op != RCP_INS_LEAVE || lane->queued < lane->queue.len)
        return false;
    const rcp_outside *row = rcp_explore_row(x, t);
    const rcp_asked *asked = lane->next_call ? &lane->course->asked.at[lane->next_call - 1] : NULL;
    return !row || row->kind == RCP_OUTSIDE_UNKNOWN || (asked && asked->depth == t->frames.len && may_wait(asked));
}

bool rcp_explore_answer(rcp_exploring *x) {
    rcp_explore_lane *lane = x->lane;
    const rcp_strand *t = x->run->m.current;
    const rcp_course *course = lane->course;
    rcp_asked now;
    rcp_explore_ask(x, t, &now);
    if (x->phase == RCP_PHASE_FREE && now.kind == RCP_OUTSIDE_SYNC && is_divided(x, t)) {
        rcp_explore_stop(x, RCP_EXPLORE_SYNC, "'%s' of what other processes came to use", rcp_explore_callee(x, t));
        return false;
    }
    size_t found = SIZE_MAX, near = SIZE_MAX;
    for (size_t i = lane->next_call;
         i < course->asked.len && i - lane->next_call < rcp_limit(RCP_LIMIT_EXPLORE_SKIPPED); i++) {
        const rcp_asked *then = &course->asked.at[i];
        if (is_same_call(then, &now)) {
            near = near == SIZE_MAX ? i : near;
            if (then->flow == now.flow) {
                found = i;
                break;
            }
        }
        if (!then->may_be_missed)
            break;
    }
    if (found != SIZE_MAX && x->phase == RCP_PHASE_FREE &&
        (now.outcome == RCP_OUTCOME_TRIES || is_given_out(x, course, found))) {
        lane->next_call = found + 1; /* how it ends is seen now, not as it was */
        lane->next_record = found + 1 < course->asked.len ? course->asked.at[found + 1].first : course->records.len;
        lane->is_off = true;
        return rcp_explore_model(x, t, &now, true);
    }
    if (found != SIZE_MAX && found != lane->next_call && now.may_be_missed && now.kind == RCP_OUTSIDE_SYNC)
        found = SIZE_MAX; /* a lock is modelled; what it would leave out may still come */
    if (found == SIZE_MAX && near != SIZE_MAX && now.besides != now.flow &&
        course->asked.at[near].besides == now.besides) {
        found = near;
        hand_on(x, t, course, near);
    }
    if (found == SIZE_MAX)
        return rcp_explore_model(x, t, &now, near != SIZE_MAX);
    if (x->phase == RCP_PHASE_FREE && !has_live_memory(x, t))
        return false;
    if (x->phase == RCP_PHASE_FREE && now.kind == RCP_OUTSIDE_SYNC && is_silent(course, found)) {
        rcp_explore_stop(x, RCP_EXPLORE_SYNC, "'%s', of which the log does not have what it did",
                         rcp_explore_callee(x, t));
        return false;
    }
    if (x->phase == RCP_PHASE_FREE && has_state(now.kind)) {
        if (now.kind == RCP_OUTSIDE_UNKNOWN) { /* it may look at anything */
            rcp_explore_stop(x, RCP_EXPLORE_OPAQUE, "'%s', of which nothing is known", rcp_explore_callee(x, t));
            return false;
        }
        if (may_wait(&course->asked.at[found])) {
            rcp_explore_stop(x, RCP_EXPLORE_OPAQUE, "'%s', which may have waited for others", rcp_explore_callee(x, t));
            return false;
        }
        if (x->explorer->writes_seen) {
            rcp_explore_stop(x, RCP_EXPLORE_OPAQUE, "'%s', after memory was written that others can see",
                             rcp_explore_callee(x, t));
            return false;
        }
        if (x->is_ahead && may_tell_time(rcp_explore_row(x, t))) {
            rcp_explore_stop(x, RCP_EXPLORE_OPAQUE, "'%s', which may tell that time went by otherwise",
                             rcp_explore_callee(x, t));
            return false;
        }
        bool sees_others = (now.sees_ends || x->explorer->names_threads) && now.ended != course->asked.at[found].ended;
        /* All that came before it have been made. To count them is not enough: where calls share nothing the plan may
         * have made a later one, and left out one of these. */
        lane->is_in_line = course->asked.at[found].rank != x->all_made || sees_others;
        if (lane->is_in_line)
            return false; /* others come first */
    }
    take_answer(x, t, found);
    return true;
}
