/* SPDX-License-Identifier: Apache-2.0 */
#include "program/machine/machine.h"

#include "base/varint.h"
#include "program/ir/decode.h"
#include "program/machine/scalars.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>
#include <sys/mman.h>

/* Slots of all active frames of a strand. Pages are made when they are touched. */
#define REGISTERS (UINT64_C(1) << 26)

rcp_strand *rcp_strand_create(uint32_t number) {
    rcp_strand *strand = rcp_alloc_zero(1, sizeof *strand);
    strand->number = number;
    rcp_map_init(&strand->jump_index);
    return strand;
}

void rcp_strand_destroy(rcp_strand *strand) {
    if (strand->registers)
        munmap(strand->registers, REGISTERS * sizeof *strand->registers);
    if (strand->shadow)
        munmap(strand->shadow, REGISTERS * sizeof *strand->shadow);
    rcp_vec_finish(&strand->frames);
    rcp_vec_finish(&strand->thread_locals);
    rcp_vec_finish(&strand->jumps);
    rcp_vec_finish(&strand->given);
    rcp_map_finish(&strand->jump_index);
    rcp_release(strand);
}

static void *make_room(const rcp_strand *strand, size_t size) {
    void *at = mmap(NULL, REGISTERS * size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (at != MAP_FAILED)
        return at;
    rcp_fail(RCP_SYSTEM, "no room for the registers of thread %u: lift `ulimit -v`", strand->number);
    return NULL;
}

rcp_activation *rcp_strand_push(rcp_machine *machine, rcp_strand *strand, rcp_routine *routine, const rcp_ins *back) {
    rcp_decode(routine);
    if (routine->rounds && machine->log && rcp_log_borrow_header(machine->log)->unseen & RCP_UNSEEN_ROUNDING) {
        rcp_machine_fail(machine, strand, back,
                         "floating point is computed here, and the program has said how (rounding, or denormals that "
                         "are 0: fesetround(), code linked by -ffast-math), which is not followed");
        return NULL;
    }
    if (!strand->registers) {
        strand->registers = make_room(strand, sizeof *strand->registers);
        if (!strand->registers)
            return NULL;
        strand->registers_end = strand->registers + REGISTERS;
    }
    if (machine->shadow && !strand->shadow) {
        strand->shadow = make_room(strand, sizeof *strand->shadow);
        if (!strand->shadow)
            return NULL;
    }
    const rcp_activation *top = strand->frames.len ? &strand->frames.at[strand->frames.len - 1] : NULL;
    uint64_t *base = top ? top->registers + top->routine->n_slots : strand->registers;
    if ((uint64_t)(strand->registers_end - base) < (uint64_t)routine->n_constants + routine->n_slots) {
        rcp_machine_fail(machine, strand, back, "calls nest deeper than %" PRIu64 " values", REGISTERS);
        return NULL;
    }
    memcpy(base, routine->constants, routine->n_constants * sizeof *base);
    if (strand->shadow) /* of its constants and its arguments; every other slot is written before it is read */
        memset(rcp_strand_shadow(strand, base), 0,
               (routine->n_constants + routine->n_arguments) * sizeof *strand->shadow);
    base += routine->n_constants;
    rcp_vec_push(&strand->frames, ((rcp_activation){.routine = routine,
                                                    .registers = base,
                                                    .stack = strand->stack,
                                                    .id = ++machine->frames,
                                                    .back = back,
                                                    .state = RCP_STRAND_RUNNING}));
    return &strand->frames.at[strand->frames.len - 1];
}

void rcp_machine_thread_locals(const rcp_machine *machine, const rcp_log_record *record, rcp_thread_locals *found) {
    RCP_VEC(uint64_t) addresses = {0};
    const uint8_t *at = record->bytes;
    for (uint64_t i = 0, address = 0; i < record->size && at; i++) {
        at = rcp_varint_get(at, record->end, &address);
        rcp_vec_push(&addresses, address);
    }
    for (size_t u = 0; u < machine->program->units.len; u++) {
        const rcp_unit *unit = machine->program->units.at[u];
        for (size_t i = 0; !unit->is_late && i < unit->symbols.tls.len; i++) {
            uint64_t lo = unit->tls_base + i < addresses.len ? addresses.at[unit->tls_base + i] : 0;
            uint64_t size = LLVMABISizeOfType(unit->layout, LLVMGlobalGetValueType(unit->symbols.tls.at[i]));
            if (lo && size)
                rcp_vec_push(found, ((rcp_thread_local){lo, lo + size}));
        }
    }
    rcp_vec_finish(&addresses);
}

rcp_code rcp_machine_fail(rcp_machine *machine, const rcp_strand *strand, const rcp_ins *ins, const char *format, ...) {
    char what[400], place[RCP_PLACE] = "?";
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    const char *function = "no function";
    uint64_t position = strand ? strand->position : 0;
    if (strand && strand->frames.len) {
        const rcp_routine *routine = strand->frames.at[strand->frames.len - 1].routine;
        function = routine->name;
        size_t at = ins ? (size_t)(ins - routine->code.at) : routine->code.len;
        if (at < routine->code.len) {
            rcp_program_place(routine->origin.at[at], place);
            if (rcp_left_of[ins->op] != RCP_LEFT_PLAIN && strand->state == RCP_STRAND_RUNNING)
                position -= rcp_ins_left(ins);
        }
    }
    if (machine->client->has_own_order)
        return rcp_fail(RCP_BAD_INPUT, "thread %s, position %" PRIu64 ", %s at %s: %s",
                        rcp_thread_names_borrow(machine->names, strand->number), position, function, place, what);
    return rcp_fail(RCP_BAD_INPUT, "thread %s, position %" PRIu64 ", %s at %s, log byte %" PRIu64 ": %s",
                    strand ? rcp_thread_names_borrow(machine->names, strand->number) : "?", position, function, place,
                    machine->record.at, what);
}

/* Bits [from, from + n) of bytes, n up to 64. */
static uint64_t get_bits(const uint8_t *bytes, uint32_t from, uint32_t n) {
    uint64_t value = 0;
    if (from % 8 == 0 && n % 8 == 0) {
        memcpy(&value, bytes + from / 8, n / 8);
        return value;
    }
    for (uint32_t i = 0; i < n; i++)
        value |= (uint64_t)(bytes[(from + i) / 8] >> (from + i) % 8 & 1) << i;
    return value;
}

static void put_bits(uint8_t *bytes, uint32_t to, uint32_t n, uint64_t value) {
    if (to % 8 == 0 && n % 8 == 0) {
        memcpy(bytes + to / 8, &value, n / 8);
        return;
    }
    for (uint32_t i = 0; i < n; i++) {
        uint8_t bit = (uint8_t)(1u << (to + i) % 8);
        bytes[(to + i) / 8] = (uint8_t)((bytes[(to + i) / 8] & ~bit) | (value >> i & 1 ? bit : 0));
    }
}

void rcp_row_read(const rcp_layout *layout, const uint8_t *bytes, uint64_t *row) {
    for (uint32_t i = 0; i < layout->n; i++) {
        const rcp_leaf *leaf = &layout->leaves[i];
        uint32_t low = leaf->bits > 64 ? 64 : leaf->bits;
        *row++ = get_bits(bytes, leaf->offset, low);
        if (leaf->bits > 64)
            *row++ = get_bits(bytes, leaf->offset + 64, leaf->bits - 64u);
    }
}

void rcp_row_write(const rcp_layout *layout, uint8_t *bytes, const uint64_t *row) {
    for (uint32_t i = 0; i < layout->n; i++) {
        const rcp_leaf *leaf = &layout->leaves[i];
        uint32_t whole = leaf->is_lane ? leaf->bits : (leaf->bits + 7u) & ~7u, low = whole > 64 ? 64 : whole;
        put_bits(bytes, leaf->offset, low, *row++);
        if (leaf->bits > 64)
            put_bits(bytes, leaf->offset + 64, whole - 64, *row++);
    }
}

uint32_t rcp_atomic_size(const rcp_ins *ins) {
    return ins->op == RCP_INS_EXCHANGE ? ins->k : RCP_SCALAR_BITS((rcp_scalar)ins->e) / 8;
}

void rcp_atomic_result(const rcp_ins *ins, const uint64_t *registers, const uint64_t old[2], uint64_t result[2]) {
    if (ins->op == RCP_INS_RMW) {
        rcp_scalar_binary((rcp_binary)ins->k, (rcp_scalar)ins->e, 0, result, old, registers + ins->b);
        return;
    }
    const uint64_t *expected = registers + ins->b, *desired = registers + ins->e;
    bool same = old[0] == expected[0] && (ins->k <= 8 || old[1] == expected[1]);
    result[0] = same ? desired[0] : old[0];
    if (ins->k > 8)
        result[1] = same ? desired[1] : old[1];
}
