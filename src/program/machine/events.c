/* SPDX-License-Identifier: Apache-2.0 */
/* What happens before an event of a careful stretch: the log's records for it, and the comparison with --log-values. */
#include "abi/hooks.h"
#include "program/machine/machine.h"

#include <inttypes.h>
#include <string.h>

/* An event as --log-values has it. */
typedef struct seen {
    uint32_t kind;
    uint64_t address, size, value;
    bool any_address; /* it can't be known */
} seen;

static const char *const kind_names[] = {"load", "store", "atomic", "fence", "branch", "tick", "call", "copy", "fill"};

static uint64_t value_of(const uint8_t *bytes, uint64_t size) {
    uint64_t value = 0;
    if (size > sizeof value)
        return rcp_logged_hash(bytes, size);
    memcpy(&value, bytes, size);
    return value;
}

static uint64_t bytes_at(rcp_machine *m, uint64_t address, uint64_t size) {
    if (!rcp_space_holds(address, size))
        return 0;
    uint8_t small[64], *bytes = size <= sizeof small ? small : rcp_alloc(size);
    rcp_space_read(m->space, address, bytes, size);
    uint64_t value = value_of(bytes, size);
    if (bytes != small)
        rcp_release(bytes);
    return value;
}

static bool compare(const rcp_ins *ins, const uint64_t *R) {
    uint64_t a = R[ins->a], b = R[ins->b];
    int64_t s = (int64_t)(a << ins->k) >> ins->k, t = (int64_t)(b << ins->k) >> ins->k;
    switch (ins->op) {
    case RCP_INS_J_EQ: return a == b;
    case RCP_INS_J_NE: return a != b;
    case RCP_INS_J_UGT: return a > b;
    case RCP_INS_J_UGE: return a >= b;
    case RCP_INS_J_ULT: return a < b;
    case RCP_INS_J_ULE: return a <= b;
    case RCP_INS_J_SGT: return s > t;
    case RCP_INS_J_SGE: return s >= t;
    case RCP_INS_J_SLT: return s < t;
    default: return s <= t;
    }
}

static seen see_store(rcp_machine *m, const rcp_layout *layout, uint64_t address, const uint64_t *row) {
    uint8_t small[256], *bytes = layout->size <= sizeof small ? small : rcp_alloc(layout->size);
    memset(bytes, 0, layout->size);
    if (rcp_space_holds(address, layout->size))
        rcp_space_read(m->space, address, bytes, layout->size);
    rcp_row_write(layout, bytes, row);
    seen s = {RCP_WHAT_STORE, address, layout->size, value_of(bytes, layout->size), false};
    if (bytes != small)
        rcp_release(bytes);
    return s;
}

static seen see_fill(uint64_t address, uint8_t byte, uint64_t size) {
    if (!rcp_space_holds(address, size))
        return (seen){RCP_WHAT_FILL, address, size, 0, false};
    uint8_t *bytes = rcp_alloc(size ? size : 1);
    memset(bytes, byte, size);
    seen s = {RCP_WHAT_FILL, address, size, value_of(bytes, size), false};
    rcp_release(bytes);
    return s;
}

static seen see_call(const rcp_strand *t, const rcp_ins *ins, const uint64_t *R) {
    const rcp_call *call = &t->frames.at[t->frames.len - 1].routine->calls.at[ins->b];
    if (ins->k)
        return (seen){.kind = RCP_WHAT_CALL, .address = R[ins->a]};
    uint64_t address = call->is_assembly ? 1 : call->address;
    return (seen){.kind = RCP_WHAT_CALL, .address = address, .any_address = !address};
}

static seen see(rcp_machine *m, const rcp_strand *t, const rcp_ins *ins, const uint64_t *R) {
    const rcp_layout *layouts = t->frames.at[t->frames.len - 1].routine->layouts.at;
    uint64_t address = R[ins->a];
    switch (ins->op) {
    case RCP_INS_LOAD_8:
    case RCP_INS_LOAD_16:
    case RCP_INS_LOAD_32:
    case RCP_INS_LOAD_64: {
        uint64_t size = UINT64_C(1) << (ins->op - RCP_INS_LOAD_8);
        return (seen){RCP_WHAT_LOAD, address, size, bytes_at(m, address, size), false};
    }
    case RCP_INS_LOAD_WIDE: {
        uint64_t size = layouts[ins->b].size;
        return (seen){RCP_WHAT_LOAD, address, size, bytes_at(m, address, size), false};
    }
    case RCP_INS_STORE_8:
    case RCP_INS_STORE_16:
    case RCP_INS_STORE_32:
    case RCP_INS_STORE_64: {
        unsigned log2 = ins->op - RCP_INS_STORE_8;
        uint64_t mask = log2 == 3 ? UINT64_MAX : (UINT64_C(1) << (8 << log2)) - 1;
        return (seen){RCP_WHAT_STORE, address, UINT64_C(1) << log2, R[ins->d] & mask, false};
    }
    case RCP_INS_STORE_WIDE: return see_store(m, &layouts[ins->b], address, &R[ins->d]);
    case RCP_INS_RMW:
    case RCP_INS_EXCHANGE: {
        uint64_t old[2] = {0}, result[2] = {0};
        uint32_t size = rcp_atomic_size(ins);
        if (rcp_space_holds(address, size))
            rcp_space_read(m->space, address, old, size);
        rcp_atomic_result(ins, R, old, result);
        return (seen){RCP_WHAT_RMW, address, size, value_of((const uint8_t *)result, size), false};
    }
    case RCP_INS_FENCE: return (seen){.kind = RCP_WHAT_FENCE};
    case RCP_INS_TICK: return (seen){.kind = RCP_WHAT_TICK};
    case RCP_INS_BRANCH:
    case RCP_INS_SWITCH:
    case RCP_INS_INDIRECT: return (seen){.kind = RCP_WHAT_BRANCH, .address = address};
    case RCP_INS_LEAVE: return see_call(t, ins, R);
    case RCP_INS_COPY: return (seen){RCP_WHAT_COPY, address, R[ins->d], bytes_at(m, R[ins->b], R[ins->d]), false};
    case RCP_INS_FILL: return see_fill(address, (uint8_t)R[ins->b], R[ins->d]);
    default: return (seen){.kind = RCP_WHAT_BRANCH, .address = compare(ins, R)};
    }
}

static bool check_one(rcp_machine *m, rcp_strand *t, const rcp_ins *ins, seen now) {
    struct rcp_logged_value logged;
    const char *name = kind_names[now.kind];
    if (!rcp_values_next(m->values, &logged)) {
        rcp_machine_fail(m, t, ins, "a %s at 0x%" PRIx64 " past the last of %zu logged values", name, now.address,
                         m->values->n);
        return false;
    }
    uint32_t kind = (uint32_t)(logged.what & 255), thread = (uint32_t)(logged.what >> 40);
    uint64_t size = logged.what >> 8 & UINT32_MAX;
    const char *other = kind < sizeof kind_names / sizeof *kind_names ? kind_names[kind] : "?";
    if (kind == now.kind && thread == t->number && size == (now.size & UINT32_MAX) &&
        (logged.address == now.address || now.any_address) && logged.value == now.value)
        return true;
    rcp_machine_fail(m, t, ins,
                     "event %zu: expected a %s of %" PRIu64 " bytes at 0x%" PRIx64 ", value 0x%" PRIx64
                     ", by thread %u; found a %s of %" PRIu64 " bytes at 0x%" PRIx64 ", value 0x%" PRIx64,
                     m->values->at - 1, other, size, logged.address, logged.value, thread, name, now.size, now.address,
                     now.value);
    return false;
}

/* An atomic operation that has no hook of its width is logged as its load and its store. */
static bool check_values(rcp_machine *m, rcp_strand *t, const rcp_ins *ins, const uint64_t *R) {
    seen now = see(m, t, ins, R);
    if (now.kind == RCP_WHAT_RMW && now.size > 8) {
        seen load = {RCP_WHAT_LOAD, now.address, now.size, bytes_at(m, now.address, now.size), false};
        now.kind = RCP_WHAT_STORE;
        if (!check_one(m, t, ins, load))
            return false;
    }
    return check_one(m, t, ins, now);
}

static bool covers(uint64_t from, uint64_t size, uint64_t address) { return address - from < (size ? size : 1); }

/* Does the event touch the address at which the program faulted? Where no memory can be, the kernel may have told of
 * none, or of the shadow's. */
static bool covers_or_wild(uint64_t from, uint64_t size, uint64_t address) {
    return covers(from, size, address) || !rcp_space_holds(from, size);
}

static bool touches(rcp_machine *m, const rcp_strand *t, const rcp_ins *ins, const uint64_t *R, uint64_t address) {
    seen s = see(m, t, ins, R);
    switch (s.kind) {
    case RCP_WHAT_LOAD:
    case RCP_WHAT_STORE:
    case RCP_WHAT_RMW:
    case RCP_WHAT_FILL: return covers_or_wild(s.address, s.size, address);
    case RCP_WHAT_COPY: return covers_or_wild(s.address, s.size, address) || covers_or_wild(R[ins->b], s.size, address);
    default: return false;
    }
}

static bool apply_miss(rcp_machine *m, rcp_strand *t, const rcp_ins *ins) {
    static const uint8_t zeros[64];
    const rcp_log_record *r = &m->record;
    if (!rcp_space_holds(r->address, 64)) {
        rcp_machine_fail(m, t, ins, "the log has memory at 0x%" PRIx64 ", beyond 48 bits of address", r->address);
        return false;
    }
    const uint8_t *bytes = r->tag == RCP_LOG_MISS ? r->bytes : zeros;
    if (m->client->miss)
        m->client->miss(m, t, ins, bytes);
    else
        rcp_space_write(m->space, r->address, bytes, 64);
    return rcp_machine_advance(m) == RCP_OK;
}

static rcp_permit take_fault(rcp_machine *m, rcp_strand *t, const rcp_ins *ins, const uint64_t *R) {
    const rcp_log_record *r = &m->record;
    bool is_cancel = !r->value, in_region = r->size;
    uint64_t reached = is_cancel || in_region ? t->position - rcp_ins_left(ins) : t->position;
    if (in_region ? reached - r->position >= r->size && reached >= r->position : r->position < reached) {
        rcp_machine_fail(m, t, ins,
                         "the log has a fault (signal %" PRIu64 ", address 0x%" PRIx64 ") at position %" PRIu64
                         ", which was passed",
                         r->value, r->address, r->position);
        return RCP_FAIL;
    }
    if ((in_region ? reached < r->position : r->position != reached) ||
        (!is_cancel && !touches(m, t, ins, R, r->address)))
        return RCP_GO;
    if (is_cancel)
        t->position = reached;
    return rcp_machine_advance(m) == RCP_OK ? RCP_FAULT : RCP_FAIL;
}

/* What the log has for the event, one record. RCP_GO: it has no more. `taken`: look again. */
static rcp_permit take_record(rcp_machine *m, rcp_strand *t, const rcp_ins *ins, const uint64_t *R, bool *taken) {
    const rcp_log_record *r = &m->record;
    uint64_t position = t->position - rcp_ins_left(ins);
    switch (r->tag) {
    case RCP_LOG_FAULT: return take_fault(m, t, ins, R);
    case RCP_LOG_SLICE: return r->position <= position ? RCP_STOP : RCP_GO; /* without a word, in a handler outside */
    case RCP_LOG_STOP:
    case RCP_LOG_MISS:
    case RCP_LOG_MISS_ZERO: break;
    default: return RCP_GO;
    }
    if (r->position > position)
        return RCP_GO;
    if (r->position < position) {
        rcp_machine_fail(m, t, ins, "the log has a %s at position %" PRIu64 ", which was passed",
                         r->tag == RCP_LOG_STOP ? "stop" : "miss", r->position);
        return RCP_FAIL;
    }
    if (r->tag == RCP_LOG_STOP) {
        if (rcp_machine_advance(m) != RCP_OK)
            return RCP_FAIL;
        return m->record.tag == RCP_LOG_CALLBACK ? RCP_CALLBACK : RCP_STOP;
    }
    *taken = true;
    return apply_miss(m, t, ins) ? RCP_GO : RCP_FAIL;
}

rcp_permit rcp_machine_event(rcp_machine *m, rcp_strand *t, const rcp_ins *ins, const uint64_t *R) {
    if (m->client->event) {
        rcp_permit permit = m->client->event(m, t, ins, R);
        if (permit != RCP_GO)
            return permit;
    }
    if (rcp_left_of[ins->op] == RCP_LEFT_IN_D && ins->d <= 0) /* a branch ahead: no event */
        return !ins->d || !m->values || check_values(m, t, ins, R) ? RCP_GO : RCP_FAIL;
    if (t->position >= m->look || ++m->since >= RCP_LOOK_EVERY) {
        rcp_permit permit = rcp_machine_look(m, t->position - rcp_ins_left(ins));
        if (permit != RCP_GO)
            return permit;
    }
    if (!m->client->advance && rcp_machine_is_past_log(m, t->position - rcp_ins_left(ins)))
        return RCP_STOP;
    for (bool taken = true; taken;) {
        taken = false;
        rcp_permit permit = take_record(m, t, ins, R, &taken);
        if (permit != RCP_GO)
            return permit;
    }
    if (t->position - rcp_ins_left(ins) >= m->turn_end) {
        rcp_machine_fail(m, t, ins,
                         m->client->has_own_order ? "the code goes on where its next event should have come"
                                                  : "the thread goes on where the log has it give way");
        return RCP_FAIL;
    }
    if (m->values && !check_values(m, t, ins, R))
        return RCP_FAIL;
    return RCP_GO;
}

rcp_permit rcp_machine_value(rcp_machine *m, rcp_strand *t, uint64_t *value) {
    const rcp_log_record *r = &m->record;
    if (m->client->value && !m->client->value(m))
        return RCP_STOP;
    if (r->tag == RCP_LOG_STOP && r->position == t->position)
        return rcp_machine_advance(m) == RCP_OK ? RCP_STOP : RCP_FAIL;
    if (r->tag == RCP_LOG_END && !m->client->advance) /* it was killed before it had it */
        return RCP_STOP;
    if (r->tag != RCP_LOG_VALUE) {
        rcp_machine_fail(m, t, t->pc, "a value is wanted that the log should have here; it has record %d", (int)r->tag);
        return RCP_FAIL;
    }
    *value = r->value;
    return rcp_machine_advance(m) == RCP_OK ? RCP_GO : RCP_FAIL;
}
