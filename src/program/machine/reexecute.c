/* SPDX-License-Identifier: Apache-2.0 */
#include "program/machine/reexecute.h"

#include "abi/run.h"
#include "base/text.h"
#include "base/varint.h"
#include "program/telling/checkpoints.h"
#include "program/concrete/state.h"
#include "program/explore/state.h"
#include "program/machine/reexecute_state.h"
#include "program/symbolic/symbolic.h"
#include "program/telling/sink.h"

#include <inttypes.h>
#include <string.h>
#include <time.h>

typedef rcp_run run;

/* A log that is damaged may name any size. Zeros cost nothing; nobody writes more than this of anything else at once.
 */
#define EFFECT_MAX (UINT64_C(1) << 33)
#define ZEROS_MAX  (UINT64_C(1) << 44)

rcp_code rcp_machine_advance(rcp_machine *m) {
    if (m->lane)
        return rcp_concrete_advance(m);
    if (m->explore)
        return rcp_explore_advance(m);
    RCP_TRY(rcp_log_next(m->log, &m->record));
    switch (m->record.tag) {
    case RCP_LOG_MISS:
    case RCP_LOG_MISS_ZERO:
    case RCP_LOG_SLICE:
    case RCP_LOG_STOP: m->next = m->record.position; break;
    case RCP_LOG_FAULT: /* the segment's end, or where a region begins */
        m->next = m->record.position && !m->record.size ? m->record.position - 1 : m->record.position;
        break;
    default: m->next = UINT64_MAX; break;
    }
    if (m->next > m->turn_end)
        m->next = m->turn_end;
    return RCP_OK;
}

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

/* A part of the image: its functions, and what memory held. */
static rcp_code add_part(run *r, uint64_t number) {
    return rcp_program_add_part(&r->program, r->image, number, put_bytes, &r->space);
}

rcp_strand *rcp_run_strand(run *r, uint32_t thread) { return strand_of(&r->m, thread); }

/* What the events that are told now come from. */
static void note_cause(rcp_machine *m, uint64_t cause) {
    if (m->notes)
        m->notes->record = cause;
}

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
    note_cause(m, RCP_NOTED_RECORD(record.at));
    if (m->lane)
        RCP_TRY(rcp_concrete_record(m));
    if (!routine)
        return rcp_machine_fail(m, t, t->frames.len ? t->pc : NULL,
                                "the log has a callback at 0x%" PRIx64 ", where no function of the image is",
                                record.address);
    rcp_strand_state state = t->state;
    rcp_activation *frame = rcp_strand_push(m, t, routine, t->pc);
    if (!frame)
        return RCP_BAD_INPUT;
    frame->is_callback = true;
    frame->state = (uint8_t)state;
    frame->undone = undone;
    t->position -= undone;
    RCP_TRY(take_arguments(m, t, routine, &record, frame->registers));
    r->result->callbacks++;
    RCP_TRY(rcp_machine_advance(m));
    if (m->telling)
        rcp_telling_callback(m->telling, t, state);
    t->pc = routine->code.at;
    t->state = RCP_STRAND_RUNNING;
    return go(r);
}

static rcp_code go(run *r) {
    rcp_machine *m = &r->m;
    rcp_strand *t = m->current;
    for (;;) {
        t->state = RCP_STRAND_RUNNING;
        note_cause(m, RCP_NOTED_INSTRUCTION);
        switch (rcp_interpret(m)) {
        case RCP_PAUSE_OUTSIDE:
            t->state = RCP_STRAND_OUTSIDE;
            if (m->pass == RCP_PASS_SHARING && t->pc->op == RCP_INS_LEAVE) /* with terms, the interpreter says so */
                rcp_telling_leave(m->telling, t);
            if (m->explore)
                rcp_explore_left(m);
            return RCP_OK;
        case RCP_PAUSE_STOPPED: t->state = RCP_STRAND_STOPPED; return RCP_OK;
        case RCP_PAUSE_FAULTED: t->state = RCP_STRAND_FAULTED; return RCP_OK;
        case RCP_PAUSE_CALLBACK: t->state = RCP_STRAND_STOPPED; return enter_callback(r, rcp_ins_left(t->pc));
        case RCP_PAUSE_RETURNED:
            note_cause(m, RCP_NOTED_HANDLER_END);
            if (m->lane)
                RCP_TRY(rcp_concrete_handler_end(m));
            if (m->telling)
                rcp_telling_callback_end(m->telling, t);
            /* A handler has returned to where its thread was stopped, or to what faulted: that goes on at once. */
            if (t->state != RCP_STRAND_STOPPED && t->state != RCP_STRAND_FAULTED)
                return RCP_OK;
            break;
        default: return RCP_BAD_INPUT;
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
    if (m->telling)
        rcp_telling_return(m->telling, t, record->tag == RCP_LOG_RETURN ? record->value : 0);
    if (t->terms)
        memset(rcp_strand_terms(t, row), 0, layout->slots * sizeof *t->terms);
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
        if (m->telling)
            rcp_telling_unwind(m->telling, t, i + 1);
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
        if (m->telling)
            rcp_telling_unwind(m->telling, t, i + 1);
        top_of(t)->registers[jump->call->d] = record.value;
        if (t->terms)
            rcp_strand_terms(t, top_of(t)->registers)[jump->call->d] = 0;
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

/* Memory that code outside wrote. */
static rcp_code effect(run *r) {
    rcp_machine *m = &r->m;
    const rcp_log_record *record = &m->record;
    bool is_zero = record->tag == RCP_LOG_FILL && !record->value;
    if (record->size > (is_zero ? ZEROS_MAX : EFFECT_MAX) || !rcp_space_holds(record->address, record->size) ||
        (record->tag == RCP_LOG_COPY && !rcp_space_holds(record->second, record->size)))
        return rcp_machine_fail(m, m->current, m->current->frames.len ? m->current->pc : NULL,
                                "the log has an effect on %" PRIu64 " bytes at 0x%" PRIx64, record->size,
                                record->address);
    if (m->lane)
        RCP_TRY(rcp_concrete_effect(m));
    else if (record->tag == RCP_LOG_EFFECT)
        rcp_space_write(m->space, record->address, record->bytes, record->size);
    else if (record->tag == RCP_LOG_FILL)
        rcp_space_fill(m->space, record->address, (uint8_t)record->value, record->size);
    else
        rcp_space_copy(m->space, record->address, record->second, record->size);
    if (m->telling)
        rcp_telling_effect(m->telling, record);
    return rcp_machine_advance(m);
}

static rcp_code sliced(run *r) {
    rcp_machine *m = &r->m;
    rcp_strand *before = m->current;
    uint64_t stood =
        before->position - (before->state == RCP_STRAND_STOPPED && rcp_left_of[before->pc->op] != RCP_LEFT_PLAIN
                                ? rcp_ins_left(before->pc)
                                : 0);
    if (r->result->switches && m->record.position != stood)
        return rcp_machine_fail(m, before, before->frames.len ? before->pc : NULL,
                                "the thread gave way at position %" PRIu64 " in the log and %" PRIu64 " here",
                                m->record.position, stood);
    r->result->switches++;
    m->turns++;
    r->executed += before->position - r->turn_begin;
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
    if (t->state == RCP_STRAND_STOPPED && m->record.tag != RCP_LOG_SLICE)
        return go(r); /* it was stopped, and chosen again at once */
    note_cause(m, RCP_NOTED_RECORD(m->record.at));
    if (m->lane)
        RCP_TRY(rcp_concrete_record(m));
    if (m->telling)
        rcp_telling_record(m->telling);
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
    case RCP_LOG_THREAD: return began(r);
    case RCP_LOG_THREAD_END: return ended(r);
    case RCP_LOG_PART: {
        size_t units = m->program->units.len;
        RCP_TRY(add_part(r, m->record.value));
        if (m->telling)
            rcp_telling_part(m->telling, units);
        break;
    }
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

/* A moment to go back to; or this process goes on from one, as it was asked to. */
static rcp_code reach_checkpoint(run *r) {
    rcp_machine *m = &r->m;
    rcp_again again;
    uint64_t executed = r->executed + m->current->position - r->turn_begin;
    if (!rcp_checkpoints_reach(r->checkpoints, executed, rcp_sink_next(m->sink).v, &again))
        return RCP_OK;
    if (again.question) {
        rcp_text reply = {0};
        rcp_code code = rcp_concrete_judge(r, again.question, again.question_size, &reply);
        rcp_checkpoints_answer(r->checkpoints, code, &reply);
    }
    r->told_max = again.upto;
    return rcp_sink_again(m->sink, &again);
}

static rcp_code follow_log(run *r) {
    rcp_machine *m = &r->m;
    RCP_TRY(rcp_machine_advance(m));
    if (m->record.tag == RCP_LOG_END)
        return RCP_OK;
    m->current = strand_of(m, m->record.thread);
    while (m->record.tag != RCP_LOG_END) {
        if (r->checkpoints)
            RCP_TRY(reach_checkpoint(r));
        if (m->sink && rcp_sink_next(m->sink).v >= r->told_max)
            return RCP_OK;
        RCP_TRY(rcp_run_follow(r));
    }
    if (m->values && m->values->at != m->values->n && r->has_ended)
        return rcp_fail(RCP_BAD_INPUT, "the run was recorded with %zu values, re-execution had %zu events",
                        m->values->n, m->values->at);
    return RCP_OK;
}

static void sum_up(run *r) {
    rcp_reexecution *s = r->result;
    rcp_machine *m = &r->m;
    for (size_t i = 0; i < m->strands.len; i++)
        s->events += m->strands.at[i]->position;
    s->log_bytes = rcp_log_consumed(m->log);
    s->log_length = rcp_log_length(m->log);
    s->misses = rcp_log_borrow_header(m->log)->misses;
    s->compared = m->values ? m->values->at : 0;
    s->pages = m->space->pages;
    for (int op = 0; m->counts && op < RCP_INS_OP_COUNT; op++) {
        uint64_t n = m->counts[op];
        s->instructions += n;
        s->loads += op >= RCP_INS_LOAD_8 && op <= RCP_INS_LOAD_WIDE ? n : 0;
        s->stores += op >= RCP_INS_STORE_8 && op <= RCP_INS_STORE_WIDE ? n : 0;
        s->atomics += op == RCP_INS_RMW || op == RCP_INS_EXCHANGE ? n : 0;
        s->fences += op == RCP_INS_FENCE ? n : 0;
        s->branches += op >= RCP_INS_BRANCH && op <= RCP_INS_INDIRECT ? n : 0;
        s->ticks += op == RCP_INS_TICK ? n : 0;
        s->copies += op == RCP_INS_COPY ? n : 0;
        s->fills += op == RCP_INS_FILL ? n : 0;
        s->calls += op == RCP_INS_LEAVE ? n : 0;
    }
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static char *path_of(const char *dir, const char *name) {
    rcp_text path = {0};
    rcp_text_printf(&path, "%s/%s", dir, name);
    return path.at;
}

static rcp_code execute(run *r, const char *dir) {
    char *log = path_of(dir, "log"), *image = path_of(dir, "image"), *values = path_of(dir, "values");
    rcp_machine *m = &r->m;
    rcp_code code = rcp_log_open(log, &m->log);
    if (code == RCP_OK)
        code = rcp_turns_read(log, &r->turns);
    if (code == RCP_OK)
        code = rcp_image_open(image, &r->image);
    if (code == RCP_OK)
        code = add_part(r, 0);
    if (code == RCP_OK && m->telling)
        code = rcp_opaque_file_read(&r->opaque, dir);
    if (code == RCP_OK && m->pass == RCP_PASS_VALUES && !m->explore &&
        rcp_log_borrow_header(m->log)->flags & RCP_RUN_LOG_VALUES) {
        code = rcp_values_open(values, &r->values);
        m->values = &r->values;
        r->result->has_values = true;
    }
    if (code == RCP_OK) {
        double from = now();
        if (m->sink)
            rcp_sink_begin(m->sink, m);
        if (m->telling)
            rcp_telling_part(m->telling, 0);
        code = !m->explore                             ? follow_log(r)
               : m->explore->phase == RCP_PHASE_NOTING ? rcp_explore_note(m->explore)
                                                       : rcp_explore_drive(m->explore);
        if (code == RCP_OK && m->telling)
            rcp_telling_end(m->telling);
        r->result->seconds = now() - from;
        sum_up(r);
    }
    rcp_release(log);
    rcp_release(image);
    rcp_release(values);
    return code;
}

/* The variable's bytes; of several that have the name, the first one's. */
static rcp_code memory_of(run *r, const char *variable, rcp_text *bytes) {
    for (size_t u = 0; u < r->program.units.len; u++) {
        const rcp_unit *unit = r->program.units.at[u];
        LLVMValueRef global = LLVMGetNamedGlobal(unit->module, variable);
        uint64_t address = global ? rcp_unit_address(unit, global) : 0;
        if (!address || LLVMIsDeclaration(global))
            continue;
        uint64_t size = LLVMABISizeOfType(unit->layout, LLVMGlobalGetValueType(global));
        char *copy = rcp_alloc(size);
        rcp_space_read(&r->space, address, copy, size);
        rcp_text_add(bytes, copy, size);
        rcp_release(copy);
        return RCP_OK;
    }
    return rcp_fail(RCP_BAD_INPUT, "no recorded code defines a global variable '%s'", variable);
}

static void begin(run *r, const char *dir, const rcp_purpose *purpose) {
    rcp_machine *m = &r->m;
    rcp_program_init(&r->program, dir);
    rcp_space_init(&r->space);
    m->pass = purpose->pass;
    m->program = &r->program;
    m->space = &r->space;
    m->names = purpose->names ? purpose->names : rcp_thread_names_create();
    rcp_map_init(&m->strand_index);
    if (purpose->count)
        m->counts = rcp_alloc_zero(RCP_INS_OP_COUNT, sizeof *m->counts);
    r->program.is_careful = purpose->explore || purpose->checkpoints;
    m->explore = purpose->explore;
    if (m->explore)
        m->explore->run = r;
    if (m->pass == RCP_PASS_VALUES)
        return;
    m->sharing = purpose->sharing;
    m->telling = &r->telling;
    rcp_telling_init(&r->telling, m, purpose->sharing);
    r->telling.reachable.file = &r->opaque;
    if (m->pass == RCP_PASS_TERMS) {
        m->sink = purpose->sink;
        const rcp_teller teller = rcp_sink_teller(purpose->sink);
        m->symbolic = rcp_symbolic_create(&r->space, &teller);
        rcp_symbolic_override(m->symbolic, purpose->change);
        r->checkpoints = purpose->checkpoints;
    }
}

static void finish(run *r, const rcp_purpose *purpose) {
    rcp_machine *m = &r->m;
    for (size_t i = 0; i < m->strands.len; i++)
        rcp_strand_destroy(m->strands.at[i]);
    rcp_vec_finish(&m->strands);
    rcp_map_finish(&m->strand_index);
    if (!purpose->names)
        rcp_thread_names_destroy(m->names);
    if (m->telling)
        rcp_telling_finish(m->telling);
    rcp_opaque_file_finish(&r->opaque);
    rcp_symbolic_destroy(m->symbolic);
    rcp_release(m->counts);
    rcp_values_close(&r->values);
    rcp_turns_finish(&r->turns);
    rcp_image_close(r->image);
    rcp_log_close(m->log);
    rcp_program_finish(&r->program);
    rcp_space_finish(&r->space);
}

rcp_code rcp_reexecute_for(const char *dir, const rcp_purpose *purpose, rcp_reexecution *result) {
    *result = (rcp_reexecution){0};
    run r = {.result = result, .m.turn_end = UINT64_MAX, .told_max = UINT64_MAX};
    begin(&r, dir, purpose);
    rcp_code code = execute(&r, dir);
    if (code == RCP_OK && purpose->variable)
        code = memory_of(&r, purpose->variable, purpose->bytes);
    finish(&r, purpose);
    return code;
}

rcp_code rcp_reexecute(const char *dir, bool count, rcp_reexecution *result) {
    const rcp_purpose purpose = {.pass = RCP_PASS_VALUES, .count = count};
    return rcp_reexecute_for(dir, &purpose, result);
}

rcp_code rcp_reexecute_memory(const char *dir, const char *variable, rcp_text *bytes) {
    const rcp_purpose purpose = {.pass = RCP_PASS_VALUES, .variable = variable, .bytes = bytes};
    rcp_reexecution result;
    return rcp_reexecute_for(dir, &purpose, &result);
}
