/* SPDX-License-Identifier: Apache-2.0 */
#include "program/concrete/concrete.h"

#include "base/hash.h"
#include "program/concrete/state.h"

#include <inttypes.h>
#include <string.h>

/* What an event comes from: the instruction, or a record where `ins` is NULL. */
typedef struct cause {
    const rcp_ins *ins;
    uint64_t record;
} cause;

static rcp_lane *lane_of(const rcp_machine *m) { return m->context; }

static rcp_strand *strand_of(const rcp_lane *lane) { return lane->run.m.current; }

static const rcp_routine *routine_of(const rcp_strand *t) { return t->frames.at[t->frames.len - 1].routine; }

static uint64_t mix(uint64_t h, uint64_t word) {
    h = (h ^ word) * UINT64_C(0x9e3779b97f4a7c15);
    return h ^ h >> 29;
}

static const rcp_noted *next_of(const rcp_lane *lane) {
    return lane->next_event < lane->events.len ? &lane->all->notes.at.at[lane->events.at[lane->next_event]] : NULL;
}

/* The lane's next event, where it comes from there; NULL: it does not. */
static const rcp_noted *next_from(const rcp_lane *lane, cause from) {
    const rcp_noted *next = next_of(lane);
    const rcp_strand *t = strand_of(lane);
    if (!next || next->record != from.record || !from.ins)
        return next && next->record == from.record && from.record != RCP_NOTED_INSTRUCTION ? next : NULL;
    const rcp_routine *routine = routine_of(t);
    if (next->ins != (uint32_t)(from.ins - routine->code.at) || next->function != rcp_notes_function(routine) ||
        (next->has_position && next->position != t->position - rcp_ins_left(from.ins)))
        return NULL;
    return next;
}

static rcp_code refuse_path(rcp_lane *lane, cause from) {
    return rcp_machine_fail(&lane->run.m, strand_of(lane), from.ins,
                            "on its way here the thread's code did not touch the memory that it touched in the "
                            "recorded run");
}

/* Waits until it is the lane's turn for its next event, which has come. */
static rcp_code wait_turn(rcp_lane *lane, cause from) {
    rcp_concrete *all = lane->all;
    uint32_t event = lane->events.at[lane->next_event];
    if (all->is_noting)
        all->paths.at[event] = lane->path;
    else if (all->paths.at[event] != lane->path)
        return refuse_path(lane, from);
    while (rcp_concrete_due(all) != &all->notes.at.at[event]) {
        lane->is_there = all->is_racing && (event == all->race[0] || event == all->race[1]);
        rcp_concrete_yield(lane);
    }
    return RCP_OK;
}

/* A thread that has gone astray does not get past its next event. */
static void set_bound(rcp_lane *lane) {
    const rcp_noted *next = next_of(lane);
    lane->run.m.turn_end = next ? next->position + 1 : UINT64_MAX;
}

/* The event has happened. */
static void pass(rcp_lane *lane) {
    rcp_concrete *all = lane->all;
    uint32_t event = lane->events.at[lane->next_event++];
    rcp_concrete_patch(all, lane->view.space, all->notes.first + event + 1);
    all->cursor++;
    set_bound(lane);
    const rcp_noted *due = rcp_concrete_due(all);
    if (!due || due->thread != strand_of(lane)->number)
        rcp_concrete_yield(lane);
}

static uint64_t word_of(const uint8_t *bytes, uint64_t size) {
    uint64_t word = 0;
    memcpy(&word, bytes, size < sizeof word ? size : sizeof word);
    return word;
}

/* A read has taken `bytes`: as recorded, where it must be. */
static rcp_code took(rcp_lane *lane, cause from, const rcp_noted *e, const uint8_t *bytes, bool exact) {
    rcp_concrete *all = lane->all;
    if (!e->valued || !memcmp(all->notes.contents.at + e->bytes, bytes, e->size))
        return RCP_OK;
    uint64_t was = word_of(all->notes.contents.at + e->bytes, e->size), is = word_of(bytes, e->size);
    if (exact || all->is_noting)
        return rcp_machine_fail(&lane->run.m, strand_of(lane), from.ins,
                                "%u bytes at 0x%" PRIx64 " are read, and have 0x%" PRIx64 ", not 0x%" PRIx64, e->size,
                                e->addr, is, was);
    rcp_change change = {all->notes.first + lane->events.at[lane->next_event], was, is, e->size};
    rcp_vec_push(&all->changes, change);
    return RCP_OK;
}

static rcp_code wrote(rcp_lane *lane, cause from, const rcp_noted *e, const uint8_t *bytes) {
    const rcp_concrete *all = lane->all;
    if (!all->is_noting || !e->valued || !memcmp(all->notes.contents.at + e->written, bytes, e->size))
        return RCP_OK;
    return rcp_machine_fail(&lane->run.m, strand_of(lane), from.ins,
                            "%u bytes at 0x%" PRIx64 " are written, 0x%" PRIx64 ", not 0x%" PRIx64, e->size, e->addr,
                            word_of(bytes, e->size), word_of(all->notes.contents.at + e->written, e->size));
}

/* Bytes on their way through the thread: from memory, to memory, or both. */
typedef struct transfer {
    cause from;
    bool reads, writes;
    uint64_t source, target, size;
    uint8_t *bytes;
    bool exact;       /* what is read must be as recorded: it flows into code outside */
    bool seen_by_all; /* what no event tells of is written for others, too */
} transfer;

static bool lies_in(const rcp_noted *e, uint64_t address, uint64_t size) {
    return e->addr >= address && e->addr + e->size <= address + size;
}

static rcp_code refuse_event(rcp_lane *lane, const transfer *t, const rcp_noted *e) {
    uint64_t at = t->reads ? t->source : t->target;
    return rcp_machine_fail(&lane->run.m, strand_of(lane), t->from.ins,
                            "the code %s %" PRIu64 " bytes at 0x%" PRIx64 "; in the recorded run it had a %s of %u at "
                            "0x%" PRIx64 " there",
                            t->reads ? "reads" : "writes", t->size, at, rcp_event_traits(e->kind)->name, e->size,
                            e->addr);
}

static rcp_code have_event(rcp_lane *lane, const transfer *t, const rcp_noted *e, uint8_t *told) {
    rcp_space *space = lane->view.space;
    if (e->kind == RCP_READ) {
        uint8_t *bytes = t->bytes + (e->addr - t->source);
        RCP_TRY(wait_turn(lane, t->from));
        rcp_space_read(space, e->addr, bytes, e->size);
        RCP_TRY(took(lane, t->from, e, bytes, t->exact));
    } else if (e->kind == RCP_WRITE) {
        const uint8_t *bytes = t->bytes + (e->addr - t->target);
        lane->value = word_of(bytes, e->size);
        RCP_TRY(wait_turn(lane, t->from));
        RCP_TRY(wrote(lane, t->from, e, bytes));
        rcp_space_write(space, e->addr, bytes, e->size);
        rcp_view_drop(&lane->view, e->addr, e->size);
        memset(told + (e->addr - t->target), 1, e->size);
    } else
        RCP_TRY(wait_turn(lane, t->from));
    pass(lane);
    return RCP_OK;
}

/* Memory that no event tells of first: nobody else changes it meanwhile. */
static rcp_code carry(rcp_lane *lane, const transfer *t) {
    uint8_t small[64] = {0}, *told = t->size <= sizeof small ? small : rcp_alloc_zero(t->size, 1);
    if (t->reads)
        rcp_view_read(&lane->view, t->source, t->bytes, t->size);
    rcp_code code = RCP_OK;
    for (const rcp_noted *e; code == RCP_OK && (e = next_from(lane, t->from));) {
        bool fits = e->kind == RCP_READ    ? t->reads && lies_in(e, t->source, t->size)
                    : e->kind == RCP_WRITE ? t->writes && lies_in(e, t->target, t->size)
                                           : e->kind == RCP_OPAQUE_BEGIN || e->kind == RCP_OPAQUE_END;
        if (!fits && t->from.ins && !e->has_position)
            break; /* of another execution of the instruction */
        code = fits ? have_event(lane, t, e, told) : refuse_event(lane, t, e);
    }
    for (uint64_t at = 0, n; code == RCP_OK && t->writes && at < t->size; at += n) {
        for (n = 1; at + n < t->size && told[at + n] == told[at];)
            n++;
        if (told[at])
            continue;
        rcp_view_write(&lane->view, t->target + at, t->bytes + at, n);
        if (t->seen_by_all)
            rcp_space_write(lane->view.space, t->target + at, t->bytes + at, n);
    }
    if (told != small)
        rcp_release(told);
    return code;
}

/* --- instructions --- */

static bool note_access(rcp_machine *m, const rcp_ins *ins, uint64_t address, uint64_t size) {
    rcp_lane *lane = m->context;
    const rcp_routine *routine = routine_of(m->current);
    lane->path = mix(mix(lane->path, (uint64_t)(ins - routine->code.at) << 32 ^ rcp_notes_function(routine)), address);
    if (rcp_space_holds(address, size))
        return true;
    rcp_machine_fail(m, m->current, ins, "an access at 0x%" PRIx64 ", where no memory can be", address);
    return false;
}

bool rcp_concrete_load(rcp_machine *m, const rcp_ins *ins, uint64_t address, void *to, uint64_t size) {
    transfer t = {.from = {ins, 0}, .reads = true, .source = address, .size = size, .bytes = to};
    return note_access(m, ins, address, size) && carry(lane_of(m), &t) == RCP_OK;
}

bool rcp_concrete_store(rcp_machine *m, const rcp_ins *ins, uint64_t address, const void *from, uint64_t size) {
    uint8_t small[64], *bytes = size <= sizeof small ? small : rcp_alloc(size);
    memcpy(bytes, from, size);
    transfer t = {.from = {ins, 0}, .writes = true, .target = address, .size = size, .bytes = bytes};
    bool done = note_access(m, ins, address, size) && carry(lane_of(m), &t) == RCP_OK;
    if (bytes != small)
        rcp_release(bytes);
    return done;
}

void rcp_concrete_peek(rcp_machine *m, uint64_t address, void *to, uint64_t size) {
    if (rcp_space_holds(address, size))
        rcp_view_read(&lane_of(m)->view, address, to, size);
}

bool rcp_concrete_copy(rcp_machine *m, const rcp_ins *ins, uint64_t to, uint64_t from, uint64_t size) {
    if (!note_access(m, ins, to, size) || !note_access(m, ins, from, size))
        return false;
    rcp_concrete_pin(m, size);
    transfer t = {.from = {ins, 0}, .reads = true, .writes = true, .source = from, .target = to, .size = size};
    t.bytes = rcp_alloc(size + 1);
    bool done = carry(lane_of(m), &t) == RCP_OK;
    rcp_release(t.bytes);
    return done;
}

bool rcp_concrete_fill(rcp_machine *m, const rcp_ins *ins, uint64_t to, uint8_t byte, uint64_t size) {
    if (!note_access(m, ins, to, size))
        return false;
    rcp_concrete_pin(m, size);
    transfer t = {.from = {ins, 0}, .writes = true, .target = to, .size = size, .bytes = rcp_alloc(size + 1)};
    memset(t.bytes, byte, size);
    bool done = carry(lane_of(m), &t) == RCP_OK;
    rcp_release(t.bytes);
    return done;
}

/* One step, whatever it does. Of 16 bytes the event may have one half; the other is the thread's own. */
static rcp_code have_atomic(rcp_lane *lane, const rcp_ins *ins, const uint64_t *R, const rcp_noted *e,
                            uint64_t old[2]) {
    cause from = {ins, 0};
    rcp_machine *m = &lane->run.m;
    uint64_t result[2] = {0}, address = R[ins->a];
    uint32_t size = rcp_atomic_size(ins), at = (uint32_t)(e->addr - address);
    rcp_view_read(&lane->view, address, old, size);
    rcp_space_read(lane->view.space, e->addr, (uint8_t *)old + at, e->size);
    lane->would_write = ins->op == RCP_INS_RMW || !memcmp(old, &R[ins->b], size > 8 ? 16 : 8);
    RCP_TRY(wait_turn(lane, from));
    rcp_space_read(lane->view.space, e->addr, (uint8_t *)old + at, e->size);
    RCP_TRY(took(lane, from, e, (const uint8_t *)old + at, false));
    rcp_atomic_result(ins, R, old, result);
    bool writes = ins->op == RCP_INS_RMW || !memcmp(old, &R[ins->b], size > 8 ? 16 : 8);
    if (writes != (e->kind == RCP_RMW))
        return rcp_machine_fail(m, m->current, ins,
                                "the compare-and-exchange of 0x%" PRIx64 " finds 0x%" PRIx64 " and %s; it did not when "
                                "it was recorded",
                                address, old[0], writes ? "succeeds" : "fails");
    if (writes) {
        RCP_TRY(wrote(lane, from, e, (const uint8_t *)result + at));
        rcp_view_write(&lane->view, address, result, size);
        rcp_space_write(lane->view.space, e->addr, (const uint8_t *)result + at, e->size);
        rcp_view_drop(&lane->view, e->addr, e->size);
    }
    pass(lane);
    return RCP_OK;
}

bool rcp_concrete_atomic(rcp_machine *m, const rcp_ins *ins, const uint64_t *R, uint64_t old[2]) {
    rcp_lane *lane = m->context;
    uint64_t address = R[ins->a], result[2] = {0};
    uint32_t size = rcp_atomic_size(ins);
    cause from = {ins, 0};
    if (!note_access(m, ins, address, size))
        return false;
    const rcp_noted *e;
    while ((e = next_from(lane, from)) && (e->kind == RCP_OPAQUE_BEGIN || e->kind == RCP_OPAQUE_END)) {
        if (wait_turn(lane, from) != RCP_OK)
            return false;
        pass(lane);
    }
    if (e && (e->kind == RCP_RMW || e->kind == RCP_READ) && lies_in(e, address, size))
        return have_atomic(lane, ins, R, e, old) == RCP_OK;
    if (e) {
        transfer t = {.from = from, .reads = true, .source = address, .size = size};
        refuse_event(lane, &t, e);
        return false;
    }
    rcp_view_read(&lane->view, address, old, size);
    rcp_atomic_result(ins, R, old, result);
    rcp_view_write(&lane->view, address, result, size);
    return true;
}

/* All events from there, none of which moves bytes here. */
static rcp_code have_all(rcp_lane *lane, cause from) {
    while (next_from(lane, from)) {
        RCP_TRY(wait_turn(lane, from));
        pass(lane);
    }
    return RCP_OK;
}

bool rcp_concrete_fence(rcp_machine *m, const rcp_ins *ins) { return have_all(lane_of(m), (cause){ins, 0}) == RCP_OK; }

void rcp_concrete_pin(rcp_machine *m, uint64_t value) { lane_of(m)->path = mix(lane_of(m)->path, value); }

/* --- calls outside --- */

/* What the call reads of the thread's own memory; what is told of is compared event by event. */
static uint64_t flow_of(rcp_lane *lane, const rcp_span *spans, size_t n, uint64_t flow) {
    for (size_t i = 0; i < n; i++) {
        uint64_t size = spans[i].hi - spans[i].lo;
        uint8_t *bytes = rcp_alloc(size + 1);
        rcp_view_read(&lane->view, spans[i].lo, bytes, size);
        for (size_t e = lane->next_event; e < lane->events.len; e++) {
            const rcp_noted *told = &lane->all->notes.at.at[lane->events.at[e]];
            if ((told->kind == RCP_WRITE || told->kind == RCP_FREE) && e == lane->next_event)
                continue; /* a state of the library's, a descriptor */
            if (told->kind != RCP_READ || told->record != RCP_NOTED_INSTRUCTION)
                break;
            uint64_t lo = told->addr > spans[i].lo ? told->addr : spans[i].lo;
            uint64_t hi = told->addr + told->size < spans[i].hi ? told->addr + told->size : spans[i].hi;
            if (lo < hi)
                memset(bytes + (lo - spans[i].lo), 0, hi - lo);
        }
        flow = mix(flow, rcp_hash_bytes(bytes, size));
        rcp_release(bytes);
    }
    return flow;
}

static rcp_code have_reads(rcp_lane *lane, cause from) {
    for (const rcp_noted *e; (e = next_from(lane, from)) && e->kind == RCP_READ;) {
        uint8_t *bytes = rcp_alloc(e->size);
        transfer t = {.from = from, .reads = true, .source = e->addr, .size = e->size, .bytes = bytes, .exact = true};
        rcp_code code = have_event(lane, &t, e, NULL);
        rcp_release(bytes);
        RCP_TRY(code);
    }
    return RCP_OK;
}

static bool leave(rcp_machine *m, const rcp_ins *ins, const rcp_call *call, const uint64_t *R) {
    rcp_lane *lane = m->context;
    const rcp_notes *notes = &lane->all->notes;
    cause from = {ins, 0};
    if (lane->next_call == lane->calls.len) {
        rcp_machine_fail(m, m->current, ins, "a call of '%s', which the recorded run does not have", call->name);
        return false;
    }
    const rcp_noted_call *noted = &notes->calls.at[lane->calls.at[lane->next_call]];
    uint64_t flow = mix(lane->path, (uint64_t)(ins - routine_of(m->current)->code.at));
    for (size_t i = 0; noted->takes_arguments && i < call->arguments.len; i++)
        flow = mix(flow, R[call->arguments.at[i]]);
    if (noted->n)
        flow = flow_of(lane, notes->spans.at + noted->first, noted->n, flow);
    if (lane->all->is_noting)
        rcp_vec_push(&lane->flows, flow);
    else if (lane->flows.at[lane->next_call] != flow) {
        rcp_machine_fail(m, m->current, ins,
                         "something else flows into '%s' than in the recorded run, or the way there is another",
                         call->name);
        return false;
    }
    lane->next_call++;
    const rcp_noted *first = next_from(lane, from);
    if (first && (first->kind == RCP_WRITE || first->kind == RCP_FREE)) { /* of the library's, a descriptor: no bytes */
        if (wait_turn(lane, from) != RCP_OK)
            return false;
        pass(lane);
    }
    return have_reads(lane, from) == RCP_OK && have_all(lane, from) == RCP_OK;
}

/* --- records --- */

static rcp_code left(rcp_machine *m, rcp_strand *t) {
    const rcp_activation *frame = &t->frames.at[t->frames.len - 1];
    return leave(m, t->pc, &frame->routine->calls.at[t->pc->b], frame->registers) ? RCP_OK : rcp_failure();
}

static rcp_code advance(rcp_machine *m) {
    rcp_lane *lane = m->context;
    if (lane->next_record < lane->records.len)
        m->record = lane->records.at[lane->next_record++];
    else
        m->record = (rcp_log_record){.tag = RCP_LOG_END, .thread = m->current->number};
    m->next = 0; /* every event is looked at */
    return RCP_OK;
}

static bool is_effect(const rcp_log_record *record) {
    return record->tag == RCP_LOG_EFFECT || record->tag == RCP_LOG_FILL || record->tag == RCP_LOG_COPY;
}

static rcp_code record_events(rcp_machine *m) {
    if (is_effect(&m->record))
        return RCP_OK;
    return have_all(lane_of(m), (cause){NULL, RCP_NOTED_RECORD(m->record.at)});
}

static rcp_code handler_end(rcp_machine *m, rcp_strand *t) {
    (void)t;
    return have_all(lane_of(m), (cause){NULL, RCP_NOTED_HANDLER_END});
}

/* Memory that the system has just given, mostly, and any amount of it. */
static rcp_code zeros(rcp_lane *lane, const rcp_log_record *record) {
    cause from = {NULL, RCP_NOTED_RECORD(record->at)};
    rcp_code code = have_all(lane, from);
    rcp_view_drop(&lane->view, record->address, record->size);
    rcp_space_fill(lane->view.space, record->address, 0, record->size);
    return code;
}

static rcp_code effect(rcp_machine *m) {
    rcp_lane *lane = m->context;
    const rcp_log_record record = m->record;
    if (record.tag == RCP_LOG_FILL && !record.value)
        return zeros(lane, &record);
    transfer t = {.from = {NULL, RCP_NOTED_RECORD(record.at)},
                  .writes = true,
                  .target = record.address,
                  .size = record.size,
                  .bytes = rcp_alloc(record.size + 1)};
    if (record.tag == RCP_LOG_COPY) {
        t.reads = t.exact = true;
        t.source = record.second;
    } else if (record.tag == RCP_LOG_EFFECT)
        memcpy(t.bytes, record.bytes, record.size);
    else
        memset(t.bytes, (int)record.value, record.size);
    rcp_code code = carry(lane, &t);
    rcp_release(t.bytes);
    return code;
}

static uint64_t changed_of(const rcp_notes *notes, uint64_t at) {
    size_t low = 0, high = notes->misses.len;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (notes->misses.at[middle].at < at)
            low = middle + 1;
        else
            high = middle;
    }
    return low < notes->misses.len && notes->misses.at[low].at == at ? notes->misses.at[low].mask : 0;
}

/* Who else reads it has no record of it. */
static void miss(rcp_machine *m, rcp_strand *t, const rcp_ins *ins, const uint8_t bytes[64]) {
    (void)t, (void)ins;
    rcp_lane *lane = m->context;
    const rcp_log_record *record = &m->record;
    uint64_t mask = changed_of(&lane->all->notes, record->at);
    for (unsigned i = 0; i < 64; i++) {
        if (!(mask >> i & 1))
            continue;
        rcp_view_drop(&lane->view, record->address + i, 1);
        rcp_space_write(lane->view.space, record->address + i, &bytes[i], 1);
    }
}

const rcp_client rcp_concrete_client = {.interpret = rcp_concrete_interpret,
                                        .advance = advance,
                                        .record = record_events,
                                        .enter = record_events,
                                        .callback_end = handler_end,
                                        .left = left,
                                        .effect = effect,
                                        .miss = miss,
                                        .has_own_order = true};
