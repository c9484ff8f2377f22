/* SPDX-License-Identifier: Apache-2.0 */
/* What all instances of the interpreter (interpret_body.inc) have alike: each has its own copy, to inline as it likes.
 *
 * Nothing here knows what an instance is for, and nothing is kept: the machine's space is all that changes.
 */
#ifndef RECIPE_PROGRAM_MACHINE_INTERPRET_H
#define RECIPE_PROGRAM_MACHINE_INTERPRET_H

#include "program/ir/frame.h"
#include "program/machine/machine.h"
#include "program/machine/scalars.h"

#include <inttypes.h>
#include <string.h>

#define LIKELY(x)   __builtin_expect(!!(x), 1)
#define UNLIKELY(x) __builtin_expect(!!(x), 0)

static inline double as_double(uint64_t bits) {
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}
static inline uint64_t of_double(double x) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}
static inline float as_float(uint64_t bits) {
    uint32_t low = (uint32_t)bits;
    float x;
    memcpy(&x, &low, sizeof x);
    return x;
}
static inline uint64_t of_float(float x) {
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static inline int64_t sign_extend(uint64_t value, unsigned by) { return (int64_t)(value << by) >> by; }

static inline uint64_t divide(int64_t a, int64_t b) { return !b ? 0 : b == -1 ? -(uint64_t)a : (uint64_t)(a / b); }
static inline uint64_t remainder_of(int64_t a, int64_t b) { return !b ? (uint64_t)a : b == -1 ? 0 : (uint64_t)(a % b); }

/* Off the quick path: a page that is not there yet, or two of them. False: no memory has that address. */
__attribute__((noinline, unused)) static bool load_slow(rcp_machine *m, uint64_t address, void *to, uint64_t size) {
    if (!rcp_space_holds(address, size))
        return false;
    rcp_space_read(m->space, address, to, size);
    return true;
}
__attribute__((noinline, unused)) static bool store_slow(rcp_machine *m, uint64_t address, const void *from,
                                                         uint64_t size) {
    if (!rcp_space_holds(address, size))
        return false;
    rcp_space_write(m->space, address, from, size);
    return true;
}

static inline bool load_wide(rcp_machine *m, const rcp_layout *layout, uint64_t address, uint64_t *row) {
    uint8_t small[256] = {0}, *bytes = layout->size <= sizeof small ? small : rcp_alloc(layout->size);
    bool held = load_slow(m, address, bytes, layout->size);
    if (held)
        rcp_row_read(layout, bytes, row);
    if (bytes != small)
        rcp_release(bytes);
    return held;
}

/* Gaps between the leaves keep what memory has there. */
static inline bool store_wide(rcp_machine *m, const rcp_layout *layout, uint64_t address, const uint64_t *row) {
    uint8_t small[256], *bytes = layout->size <= sizeof small ? small : rcp_alloc(layout->size);
    bool held = load_slow(m, address, bytes, layout->size);
    if (held) {
        rcp_row_write(layout, bytes, row);
        store_slow(m, address, bytes, layout->size);
    }
    if (bytes != small)
        rcp_release(bytes);
    return held;
}

static inline void recast(const rcp_layout *from, const rcp_layout *to, const uint64_t *source, uint64_t *target) {
    size_t size = from->size > to->size ? from->size : to->size;
    uint8_t *bytes = rcp_alloc_zero(size + 1, 1);
    rcp_row_write(from, bytes, source);
    rcp_row_read(to, bytes, target);
    rcp_release(bytes);
}

static inline int32_t switch_way(const rcp_switch *table, uint64_t value) {
    if (!table->keys.len) {
        uint64_t at = value - table->low;
        int32_t way = at < table->targets.len ? table->targets.at[at] : 0;
        return way ? way : table->otherwise;
    }
    size_t low = 0, high = table->keys.len;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (table->keys.at[middle] < value)
            low = middle + 1;
        else
            high = middle;
    }
    return low < table->keys.len && table->keys.at[low] == value ? table->targets.at[low] : table->otherwise;
}

/* Which routine does a call that may leave enter? NULL: it leaves. */
static inline rcp_routine *resolve(rcp_machine *m, const rcp_activation *frame, rcp_call *call, const rcp_ins *ins,
                                   const uint64_t *registers) {
    if (ins->k)
        return rcp_program_at(m->program, registers[ins->a]);
    if (!call->callee)
        return NULL;
    if (call->looked != m->program->parts) {
        call->looked = m->program->parts;
        call->routine = call->address ? rcp_program_at(m->program, call->address) : NULL;
        if (!call->routine)
            call->routine = rcp_program_named(m->program, frame->routine->unit, call->name);
    }
    return call->routine;
}

static inline void note_jump(rcp_strand *t, uint64_t buffer, const rcp_ins *call) {
    uint32_t *index = rcp_map_at(&t->jump_index, buffer);
    rcp_jump jump = {t->frames.at[t->frames.len - 1].id, call};
    if (*index == RCP_MAP_NONE) {
        *index = (uint32_t)t->jumps.len;
        rcp_vec_push(&t->jumps, jump);
    } else
        t->jumps.at[*index] = jump;
}

#endif
