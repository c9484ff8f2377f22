/* SPDX-License-Identifier: Apache-2.0 */
#include "program/machine/run.h"

#include "base/deadline.h"
#include "base/stage.h"
#include "base/varint.h"

#include <inttypes.h>
#include <string.h>

typedef rcp_run run;

/* A log that is damaged may name any size. Zeros cost nothing; nobody writes more than this of anything else at once.
 */
#define EFFECT_MAX (UINT64_C(1) << 33)
#define ZEROS_MAX  (UINT64_C(1) << 44)

/* Up to where the current strand may run at full speed. */
static void set_next(rcp_machine *m) {
    switch (m->record.tag) {
    case RCP_LOG_MISS:
    case RCP_LOG_MISS_ZERO:
    case RCP_LOG_SLICE:
    case RCP_LOG_STOP: m->next = m->record.position; break;
    case RCP_LOG_FAULT: /* the segment's end, or where a region begins */
        m->next = m->record.position && !m->record.size ? m->record.position - 1 : m->record.position;
        break;
    case RCP_LOG_END: m->next = m->log_end; break;
    default: m->next = UINT64_MAX; break;
    }
    if (m->next > m->turn_end)
        m->next = m->turn_end;
    if (m->next > m->look)
        m->next = m->look;
}

rcp_code rcp_machine_advance(rcp_machine *m) {
    if (m->client->advance)
        return m->client->advance(m);
    RCP_TRY(rcp_log_next(m->log, &m->record));
    m->look = (m->current ? m->current->position : 0) + RCP_LOOK_EVERY;
    set_next(m);
    return RCP_OK;
}

static uint64_t count_events(const rcp_machine *m) {
    uint64_t done = 0;
    for (size_t i = 0; i < m->strands.len; i++)
        done += m->strands.at[i]->position;
    return done;
}

double rcp_machine_share(const rcp_machine *m) {
    uint64_t all = rcp_log_borrow_header(m->log)->events, done = all ? count_events(m) : 0;
    double share =
        all ? (double)done / (double)all : (double)rcp_log_consumed(m->log) / ((double)rcp_log_length(m->log) + 1);
    return share < 1 ? share : 1;
}

uint64_t rcp_strand_stands(const rcp_strand *t) {
    bool before = t->state == RCP_STRAND_STOPPED && rcp_left_of[t->pc->op] != RCP_LEFT_PLAIN;
    return t->position - (before ? rcp_ins_left(t->pc) : 0);
}

/* Is what the thread did at the stop done? Within a call outside more may come of it, so a little more is wanted. */
static bool is_behind(const rcp_machine *m, const rcp_stand *stop, uint64_t stands) {
    enum { MORE = 2 };
    const uint32_t index = rcp_map_get(&m->strand_index, stop->thread);
    if (index == RCP_MAP_NONE)
        return false;
    const rcp_strand *t = m->strands.at[index];
    if (t->state == RCP_STRAND_ENDED)
        return t->position > stop->position;
    return (t == m->current ? stands : rcp_strand_stands(t)) > stop->position + MORE;
}

static bool are_behind(const rcp_machine *m, uint64_t stands) {
    for (size_t i = 0; i < m->n_stops; i++)
        if (!is_behind(m, &m->stops[i], stands))
            return false;
    return m->n_stops;
}

rcp_permit rcp_machine_look(rcp_machine *m, uint64_t stands) {
    m->since = 0;
    m->look = m->current->position + RCP_LOOK_EVERY;
    if (!m->client->advance)
        set_next(m);
    rcp_stage_at((uint64_t)(rcp_machine_share(m) * 1e6), 1000000);
    bool is_enough = m->may_be_cut && ((m->most != UINT64_MAX && count_events(m) >= m->most) || are_behind(m, stands));
    if (!is_enough && !rcp_deadline_is_over())
        return RCP_GO;
    m->is_cut = m->may_be_cut;
    m->is_late = !m->may_be_cut;
    return m->is_cut ? RCP_STOP : RCP_FAIL;
}

static rcp_code fail_late(void) { return rcp_deadline_fail("the run was executed again"); }

static rcp_strand *strand_of(rcp_machine *m, uint32_t number) {
    uint32_t *index = rcp_map_at(&m->strand_index, number);
    if (*index == RCP_MAP_NONE) {
        *index = (uint32_t)m->strands.len;
        rcp_vec_push(&m->strands, rcp_strand_create(number));
    }
    return m->strands.at[*index];
}

static rcp_code put_bytes(void *space, uint64_t address, const uint8_t *bytes, uint64_t size) {
    if (!rcp_space_holds(address, size))
        return rcp_fail(RCP_BAD_INPUT, "the image has bytes at 0x%" PRIx64 ", beyond 48 bits of address", address);
    rcp_space_write(space, address, bytes, size);
    return RCP_OK;
}

rcp_code rcp_run_add_part(run *r, uint64_t number) {
    RCP_TRY(rcp_program_add_part(&r->program, r->image, number, put_bytes, &r->space));
    if (rcp_log_borrow_header(r->m.log)->unseen & RCP_UNSEEN_CONSTANTS)
        r->program.constants.len = 0;
    return RCP_OK;
}

rcp_strand *rcp_run_strand(run *r, uint32_t thread) { return strand_of(&r->m, thread); }

static rcp_activation *top_of(rcp_strand *t) { return &t->frames.at[t->frames.len - 1]; }

/* How a record that does not fit is said. */
static rcp_code misfit(rcp_machine *m, const rcp_strand *t, const char *record) {
    static const char *const states[] = {"in no code of ours",      "running", "in a call outside",
                                         "stopped before an event", "faulted", "at its end"};
    return rcp_machine_fail(m, t, t->frames.len ? t->pc : NULL, "the log has %s, but the thread is %s", record,
                            states[t->state]);
}

static rcp_code check(rcp_machine *m, rcp_strand *t, const char *record) {
    uint8_t own = RCP_LOG_CHECK(t->position, t->stack);
    if (own == m->record.check)
        return RCP_OK;
    return rcp_machine_fail(
        m, t, t->pc, "the check of %s is %02x in the log and %02x here (position %" PRIu64 ", stack 0x%" PRIx64 ")",
        record, m->record.check, own, t->position, t->stack);
}

/* The current strand runs until the log must be looked at; the log's position moves on. */
static rcp_code go(run *r);

/* A parameter in memory (byval), by its slot; NULL: it is none. */
static const rcp_stack_object *parameter_in_memory(const rcp_routine *routine, size_t slot) {
    for (size_t i = 0; i < routine->objects.len && routine->objects.at[i].is_byval; i++)
        if ((size_t)routine->objects.at[i].slot == slot)
            return &routine->objects.at[i];
    return NULL;
}

/* What the log says that a callback was given. */
static rcp_code take_arguments(rcp_machine *m, rcp_strand *t, const rcp_routine *routine, const rcp_log_record *record,
                               uint64_t *registers) {
    if (record->size != routine->parameters.len)
        return rcp_machine_fail(m, t, NULL, "a callback of '%s' with %" PRIu64 " arguments; it has %zu", routine->name,
                                record->size, routine->parameters.len);
    const uint8_t *at = record->bytes;
    uint64_t *row = registers;
    t->given.len = 0;
    for (size_t i = 0; i < routine->parameters.len; i++) {
        const rcp_layout *layout = &routine->layouts.at[routine->parameters.at[i]];
        const rcp_stack_object *object = parameter_in_memory(routine, (size_t)(row - registers));
        uint64_t size = object ? object->size : layout->size;
        rcp_log_argument argument;
        at = rcp_log_argument_next(at, record->end, &argument);
        memset(row, 0, layout->slots * sizeof *row);
        if (!argument.bytes)
            *row = argument.value;
        else if (argument.n != size)
            return rcp_machine_fail(m, t, NULL,
                                    "argument %zu of '%s' has %" PRIu64 " bytes in the log and %" PRIu64 " here", i,
                                    routine->name, argument.n, size);
        else if (!object)
            rcp_row_read(layout, argument.bytes, row);
        else
            for (uint64_t k = 0; k < size; k++)
                rcp_vec_push(&t->given, argument.bytes[k]);
        row += layout->slots;
    }
    return RCP_OK;
}

static rcp_code enter_callback(run *r, uint32_t undone) {
    rcp_machine *m = &r->m;
    rcp_strand *t = m->current;
    const rcp_log_record record = m->record;
    rcp_routine *routine = rcp_program_at(m->program, record.address);
    if (m->client->enter)
        RCP_TRY(m->client->enter(m));
    if (!routine)
        return rcp_machine_fail(m, t, t->frames.len ? t->pc : NULL,
                                "the log has a callback at 0x%" PRIx64 ", where no function of the image is",
                                record.address);
    rcp_strand_state state = t->state;
    rcp_activation *frame = rcp_strand_push(m, t, routine, t->pc);
    if (!frame)
        return rcp_failure();
    frame->is_callback = true;
    frame->state = (uint8_t)state;
    frame->undone = undone;
    t->position -= undone;
    RCP_TRY(take_arguments(m, t, routine, &record, frame->registers));
    r->result->callbacks++;
    RCP_TRY(rcp_machine_advance(m));
    if (m->client->callback)
        m->client->callback(m, t, &record);
    t->pc = routine->code.at;
    t->state = RCP_STRAND_RUNNING;
    return go(r);
}

static rcp_code go(run *r) {
    rcp_machine *m = &r->m;
    rcp_strand *t = m->current;
    for (;;) {
        t->state = RCP_STRAND_RUNNING;
        switch (rcp_interpret(m)) {
        case RCP_PAUSE_OUTSIDE:
            if (m->client->left && t->pc->op == RCP_INS_LEAVE)
                RCP_TRY(m->client->left(m, t));
            t->state = RCP_STRAND_OUTSIDE;
            return RCP_OK;
        case RCP_PAUSE_STOPPED: t->state = RCP_STRAND_STOPPED; return RCP_OK;
        case RCP_PAUSE_FAULTED: t->state = RCP_STRAND_FAULTED; return RCP_OK;
        case RCP_PAUSE_CALLBACK: t->state = RCP_STRAND_STOPPED; return enter_callback(r, rcp_ins_left(t->pc));
        case RCP_PAUSE_RETURNED:
            if (m->client->callback_end)
                RCP_TRY(m->client->callback_end(m, t));
            /* A handler has returned to where its thread was stopped, or to what faulted: that goes on at once. */
            if (t->state != RCP_STRAND_STOPPED && t->state != RCP_STRAND_FAULTED)
                return RCP_OK;
            break;
        default: return m->is_late ? fail_late() : rcp_failure();
        }
    }
}

static rcp_code returned(run *r) {
    rcp_machine *m = &r->m;
    rcp_strand *t = m->current;
    const rcp_log_record *record = &m->record;
    if (t->state != RCP_STRAND_OUTSIDE || t->pc->op != RCP_INS_LEAVE)
        return misfit(m, t, "the return of a call");
    RCP_TRY(check(m, t, "a return"));
    const rcp_routine *routine = top_of(t)->routine;
    const rcp_layout *layout = &routine->layouts.at[routine->calls.at[t->pc->b].layout];
    uint64_t *row = top_of(t)->registers + t->pc->d;
    if (m->client->returned)
        m->client->returned(m, t, record->tag == RCP_LOG_RETURN ? record->value : 0);
    if (t->shadow)
        memset(rcp_strand_shadow(t, row), 0, layout->slots * sizeof *t->shadow);
    if (record->tag == RCP_LOG_RETURN_BYTES) {
        if (record->size != layout->size)
            return rcp_machine_fail(m, t, t->pc, "a call returned %" PRIu64 " bytes in the log and %u here",
                                    record->size, layout->size);
        rcp_row_read(layout, record->bytes, row);
    } else if (layout->slots)
        row[0] = record->value;
    r->result->outside++;
    RCP_TRY(rcp_machine_advance(m));
    t->pc++;
    return go(r);
}

/* Takes frames off until `keep` are left; the last one's stack is what it was when it called. */
static void unwind(rcp_strand *t, size_t keep) {
    if (t->frames.len > keep) {
        t->stack = t->frames.at[keep].stack;
        t->frames.len = keep;
    }
}

/* The instruction at which frame `i` waits for what it called. */
static const rcp_ins *call_of(const rcp_strand *t, size_t i) {
    return i + 1 == t->frames.len ? t->pc : t->frames.at[i + 1].back;
}

/* The call that frame `i` has made, NULL: it is at no call. */
static const rcp_call *call_info(const rcp_strand *t, size_t i) {
    const rcp_ins *ins = call_of(t, i);
    const rcp_routine *routine = t->frames.at[i].routine;
    return ins->op == RCP_INS_LEAVE  ? &routine->calls.at[ins->b]
           : ins->op == RCP_INS_CALL ? &routine->calls.at[ins->c]
                                     : NULL;
}

static rcp_code landed(run *r) {
    rcp_machine *m = &r->m;
    rcp_strand *t = m->current;
    const rcp_log_record record = m->record;
    for (size_t i = t->frames.len; i-- > 0;) {
        const rcp_call *call = call_info(t, i);
        if (t->frames.at[i].routine->address != record.address || !call || !call->landing || call->pad != record.pad)
            continue;
        const rcp_ins *ins = call_of(t, i);
        unwind(t, i + 1);
        t->pc = ins;
        if (m->client->unwound)
            m->client->unwound(m, t, i + 1);
        RCP_TRY(check(m, t, "a landing"));
        t->exception = record.second;
        t->selector = record.value;
        RCP_TRY(rcp_machine_advance(m));
        t->pc = ins + call->landing;
        return go(r);
    }
    rcp_routine *routine = rcp_program_at(m->program, record.address);
    return rcp_machine_fail(m, t, t->frames.len ? t->pc : NULL,
                            "an exception landed in '%s', pad %u, which is not active", routine ? routine->name : "?",
                            record.pad);
}

/* As if the callback had returned, but with nothing. What stays of an event that it came before is only done where it
 * is the last one: else whatever it came before is gone as well. */
static rcp_code end_callback(rcp_machine *m, rcp_strand *t, bool is_last) {
    size_t i = t->frames.len;
    while (i && !t->frames.at[i - 1].is_callback)
        i--;
    if (!i)
        return misfit(m, t, "the end of a callback");
    unwind(t, i);
    if (m->client->unwound)
        m->client->unwound(m, t, i);
    const rcp_activation frame = t->frames.at[--t->frames.len];
    t->stack = frame.stack;
    t->pc = frame.back;
    t->position += is_last ? frame.undone : 0;
    t->state = (rcp_strand_state)frame.state;
    t->n_returned = 0;
    return m->client->callback_end ? m->client->callback_end(m, t) : RCP_OK;
}

static rcp_code left_behind(run *r) {
    rcp_machine *m = &r->m;
    rcp_strand *t = m->current;
    const uint64_t n = m->record.value;
    if (t->state != RCP_STRAND_OUTSIDE)
        return misfit(m, t, "the end of a callback");
    for (uint64_t i = 0; i < n; i++)
        RCP_TRY(end_callback(m, t, i + 1 == n));
    RCP_TRY(rcp_machine_advance(m));
    return n && (t->state == RCP_STRAND_STOPPED || t->state == RCP_STRAND_FAULTED) ? go(r) : RCP_OK;
}

static rcp_code jumped(run *r) {
    rcp_machine *m = &r->m;
    rcp_strand *t = m->current;
    const rcp_log_record record = m->record;
    uint32_t index = rcp_map_get(&t->jump_index, record.address);
    for (size_t i = t->frames.len; index != RCP_MAP_NONE && i-- > 0;) {
        const rcp_jump *jump = &t->jumps.at[index];
        if (t->frames.at[i].id != jump->frame)
            continue;
        unwind(t, i + 1);
        t->pc = jump->call;
        if (m->client->unwound)
            m->client->unwound(m, t, i + 1);
        top_of(t)->registers[jump->call->d] = record.value;
        if (t->shadow)
            rcp_strand_shadow(t, top_of(t)->registers)[jump->call->d] = 0;
        t->pc = jump->call + 1;
        RCP_TRY(rcp_machine_advance(m));
        return go(r);
    }
    return rcp_machine_fail(m, t, t->frames.len ? t->pc : NULL,
                            "a jump to buffer 0x%" PRIx64 ", which no active function has set", record.address);
}

static rcp_code began(run *r) {
    rcp_machine *m = &r->m;
    rcp_strand *t = m->current;
    const rcp_log_record *record = &m->record;
    if (t->stack)
        return misfit(m, t, "the beginning of a thread");
    t->stack = record->address;
    t->native_lo = record->native_lo;
    t->native_hi = record->native_hi;
    const uint8_t *at = record->bytes;
    for (uint64_t i = 0, address = 0; i < record->size; i++) {
        at = rcp_varint_get(at, record->end, &address);
        rcp_vec_push(&t->thread_locals, address);
    }
    rcp_thread_names_add(m->names, t->number, record->value, record->second);
    r->result->threads++;
    return rcp_machine_advance(m);
}

static rcp_code ended(run *r) {
    rcp_machine *m = &r->m;
    rcp_strand *t = m->current;
    if (t->state == RCP_STRAND_ENDED)
        return misfit(m, t, "the end of a thread");
    if (t->position != m->record.position)
        return rcp_machine_fail(m, t, t->frames.len ? t->pc : NULL,
                                "the thread ended at position %" PRIu64 " in the log", m->record.position);
    t->state = RCP_STRAND_ENDED;
    return rcp_machine_advance(m);
}

void rcp_machine_effect(rcp_machine *m) {
    const rcp_log_record *record = &m->record;
    if (record->tag == RCP_LOG_EFFECT)
        rcp_space_write(m->space, record->address, record->bytes, record->size);
    else if (record->tag == RCP_LOG_FILL)
        rcp_space_fill(m->space, record->address, (uint8_t)record->value, record->size);
    else
        rcp_space_copy(m->space, record->address, record->second, record->size);
}

static rcp_code effect(run *r) {
    rcp_machine *m = &r->m;
    const rcp_log_record *record = &m->record;
    bool is_zero = record->tag == RCP_LOG_FILL && !record->value;
    if (record->size > (is_zero ? ZEROS_MAX : EFFECT_MAX) || !rcp_space_holds(record->address, record->size) ||
        (record->tag == RCP_LOG_COPY && !rcp_space_holds(record->second, record->size)))
        return rcp_machine_fail(m, m->current, m->current->frames.len ? m->current->pc : NULL,
                                "the log has an effect on %" PRIu64 " bytes at 0x%" PRIx64, record->size,
                                record->address);
    if (m->client->effect)
        RCP_TRY(m->client->effect(m));
    else
        rcp_machine_effect(m);
    return rcp_machine_advance(m);
}

static rcp_code sliced(run *r) {
    rcp_machine *m = &r->m;
    rcp_strand *before = m->current;
    uint64_t stood = rcp_strand_stands(before);
    if (r->result->switches && m->record.position != stood)
        return rcp_machine_fail(m, before, before->frames.len ? before->pc : NULL,
                                "the thread gave way at position %" PRIu64 " in the log and %" PRIu64 " here",
                                m->record.position, stood);
    r->result->switches++;
    m->turns++;
    const uint64_t turn = before->position - r->turn_begin;
    r->executed += turn;
    m->since +=
        turn < RCP_LOOK_EVERY ? (uint32_t)turn : RCP_LOOK_EVERY; /* many short turns are looked at like a long one */
    m->current = strand_of(m, m->record.thread);
    r->turn_begin = m->current->position;
    m->turn_end = rcp_turns_next(&r->turns);
    RCP_TRY(rcp_machine_advance(m));
    return m->current->state == RCP_STRAND_STOPPED ? go(r) : RCP_OK;
}

static rcp_code callback(run *r) {
    rcp_strand *t = r->m.current;
    if (t->state != RCP_STRAND_ROOT && t->state != RCP_STRAND_OUTSIDE && t->state != RCP_STRAND_FAULTED)
        return misfit(&r->m, t, "a callback");
    return enter_callback(r, 0);
}

rcp_code rcp_run_follow(run *r) {
    rcp_machine *m = &r->m;
    rcp_strand *t = m->current;
    RCP_DCHECK(!rcp_run_is_over(r) || t->state == RCP_STRAND_STOPPED);
    m->since += RCP_LOOK_RECORD;
    if (m->since >= RCP_LOOK_EVERY && rcp_machine_look(m, 0) != RCP_GO)
        return m->is_cut ? RCP_OK : fail_late();
    if (t->state == RCP_STRAND_STOPPED && m->record.tag != RCP_LOG_SLICE)
        return go(r); /* it was stopped, and chosen again at once */
    if (m->client->record)
        RCP_TRY(m->client->record(m));
    switch (m->record.tag) {
    case RCP_LOG_SLICE: return sliced(r);
    case RCP_LOG_RETURN:
    case RCP_LOG_RETURN_0:
    case RCP_LOG_RETURN_BYTES: return returned(r);
    case RCP_LOG_EFFECT:
    case RCP_LOG_FILL:
    case RCP_LOG_COPY: return effect(r);
    case RCP_LOG_CALLBACK: return callback(r);
    case RCP_LOG_LANDING: return landed(r);
    case RCP_LOG_JUMP: return jumped(r);
    case RCP_LOG_LEFT: return left_behind(r);
    case RCP_LOG_THREAD: return began(r);
    case RCP_LOG_THREAD_END: return ended(r);
    case RCP_LOG_PART: {
        size_t units = m->program->units.len;
        RCP_TRY(rcp_run_add_part(r, m->record.value));
        if (m->client->part)
            RCP_TRY(m->client->part(m, units));
        break;
    }
    case RCP_LOG_FORK:
        for (size_t i = 0; i < m->strands.len && !m->record.value; i++) /* the child has this thread alone */
            if (m->strands.at[i] != t)
                m->strands.at[i]->state = RCP_STRAND_ENDED;
        break;
    case RCP_LOG_EXIT: r->has_ended = true; break;
    case RCP_LOG_STOP: /* the watchdog took the baton of a thread that is outside */
        if (t->state != RCP_STRAND_OUTSIDE && t->state != RCP_STRAND_ROOT)
            return misfit(m, t, "a stop");
        break;
    case RCP_LOG_FAULT: /* in code outside; or of an instruction that is no event */
        t->state = t->state == RCP_STRAND_RUNNING ? RCP_STRAND_FAULTED : t->state;
        break;
    case RCP_LOG_MISS:
    case RCP_LOG_MISS_ZERO: return misfit(m, t, "a miss");
    case RCP_LOG_VALUE: return misfit(m, t, "a value");
    default: break; /* synchronisation, allocation, notes: nothing to execute */
    }
    return rcp_machine_advance(m);
}

rcp_code rcp_run_begin(run *r) {
    rcp_machine *m = &r->m;
    RCP_TRY(rcp_machine_advance(m));
    m->current = strand_of(m, m->record.thread);
    return RCP_OK;
}

rcp_code rcp_run_follow_log(run *r) {
    const rcp_values *values = r->m.values;
    RCP_TRY(rcp_run_begin(r));
    while (!rcp_run_is_over(r) && !r->m.is_cut)
        RCP_TRY(rcp_run_follow(r));
    if (values && values->at != values->n && r->has_ended)
        return rcp_fail(RCP_BAD_INPUT, "the run was recorded with %zu values, re-execution had %zu events", values->n,
                        values->at);
    return RCP_OK;
}
