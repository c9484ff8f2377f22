/* SPDX-License-Identifier: Apache-2.0 */
/* The interpreter: one label per operation, dispatched through a table. Its body (interpret_body.inc) is compiled once
 * for each purpose (rcp_pass), so that none pays for what another wants.
 *
 * Quick stretches and careful ones. SEGMENT reserves its events; while their positions are below the one at which the
 * log has something to say, they run without a look at it, through a table in which events are just operations. Else
 * the other table is taken, in which every event goes through rcp_machine_event() first, until the next SEGMENT. So
 * what is rare costs nothing where it does not happen. A run that is compared with logged values, or counted, is
 * careful all along.
 */
#include "program/machine/machine.h"

#include "program/concrete/concrete.h"
#include "program/ir/decode.h"
#include "program/explore/hooks.h"
#include "program/ir/frame.h"
#include "program/machine/scalars.h"
#include "program/machine/scalars_float.h"
#include "program/telling/sharing.h"
#include "program/telling/telling.h"
#include "program/symbolic/ops.h"
#include "program/symbolic/symbolic.h"
#include "program/telling/sink.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static double as_double(uint64_t bits) {
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}
static uint64_t of_double(double x) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}
static float as_float(uint64_t bits) {
    uint32_t low = (uint32_t)bits;
    float x;
    memcpy(&x, &low, sizeof x);
    return x;
}
static uint64_t of_float(float x) {
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static int64_t sign_extend(uint64_t value, unsigned by) { return (int64_t)(value << by) >> by; }

static uint64_t divide(int64_t a, int64_t b) { return !b ? 0 : b == -1 ? -(uint64_t)a : (uint64_t)(a / b); }
static uint64_t remainder_of(int64_t a, int64_t b) { return !b ? (uint64_t)a : b == -1 ? 0 : (uint64_t)(a % b); }

/* Off the quick path: a page that is not there yet, or two of them. False: no memory has that address. */
__attribute__((noinline)) static bool load_slow(rcp_machine *m, uint64_t address, void *to, uint64_t size) {
    if (!rcp_space_holds(address, size))
        return false;
    rcp_space_read(m->space, address, to, size);
    return true;
}
__attribute__((noinline)) static bool store_slow(rcp_machine *m, uint64_t address, const void *from, uint64_t size) {
    if (!rcp_space_holds(address, size))
        return false;
    rcp_space_write(m->space, address, from, size);
    return true;
}

static bool load_wide(rcp_machine *m, const rcp_layout *layout, uint64_t address, uint64_t *row) {
    uint8_t small[256] = {0}, *bytes = layout->size <= sizeof small ? small : rcp_alloc(layout->size);
    bool held = load_slow(m, address, bytes, layout->size);
    if (held)
        rcp_row_read(layout, bytes, row);
    if (bytes != small)
        rcp_release(bytes);
    return held;
}

/* Gaps between the leaves keep what memory has there. */
static bool store_wide(rcp_machine *m, const rcp_layout *layout, uint64_t address, const uint64_t *row) {
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

static bool load_concrete(rcp_machine *m, const rcp_ins *ins, const rcp_layout *layout, uint64_t *R) {
    uint8_t *bytes = rcp_alloc_zero(layout->size + 1, 1);
    bool done = rcp_concrete_load(m, ins, R[ins->a], bytes, layout->size);
    if (done)
        rcp_row_read(layout, bytes, &R[ins->d]);
    rcp_release(bytes);
    return done;
}

/* Gaps are nobody's to write: they go back as they are seen. */
static bool store_concrete(rcp_machine *m, const rcp_ins *ins, const rcp_layout *layout, const uint64_t *R) {
    uint8_t *bytes = rcp_alloc_zero(layout->size + 1, 1);
    rcp_concrete_peek(m, R[ins->a], bytes, layout->size);
    rcp_row_write(layout, bytes, &R[ins->d]);
    bool done = rcp_concrete_store(m, ins, R[ins->a], bytes, layout->size);
    rcp_release(bytes);
    return done;
}

static void recast(const rcp_layout *from, const rcp_layout *to, const uint64_t *source, uint64_t *target) {
    size_t size = from->size > to->size ? from->size : to->size;
    uint8_t *bytes = rcp_alloc_zero(size + 1, 1);
    rcp_row_write(from, bytes, source);
    rcp_row_read(to, bytes, target);
    rcp_release(bytes);
}

static int32_t switch_way(const rcp_switch *table, uint64_t value) {
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
static rcp_routine *resolve(rcp_machine *m, const rcp_activation *frame, rcp_call *call, const rcp_ins *ins,
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

/* A parameter in memory becomes a stack object: a copy of what the caller has. Where code outside calls, nobody knows
 * where that is, but the log has it: `given`. */
static bool take_byval(rcp_machine *m, rcp_strand *t, const rcp_ins *ins, uint64_t from, const uint8_t *given,
                       uint64_t size) {
    if (m->lane)
        return given ? rcp_concrete_store(m, ins, t->stack, given, size)
                     : rcp_concrete_copy(m, ins, t->stack, from, size);
    bool has_terms = m->pass == RCP_PASS_TERMS;
    if (given)
        rcp_space_write(m->space, t->stack, given, size);
    else if (!has_terms)
        rcp_space_copy(m->space, t->stack, from, size);
    if (has_terms && given)
        rcp_symbolic_wrote(m->symbolic, t, ins, t->stack, size);
    else if (has_terms)
        rcp_symbolic_copy(m->symbolic, t, ins, t->stack, from, size);
    return true;
}

static bool push_objects(rcp_machine *m, rcp_strand *t, const rcp_routine *routine, const rcp_ins *ins,
                         uint64_t *registers) {
    size_t taken = 0;
    for (size_t i = 0; i < routine->objects.len; i++) {
        const rcp_stack_object *object = &routine->objects.at[i];
        t->stack = rcp_frame_push(t->stack, object->size, object->align);
        const uint8_t *given = taken < t->given.len ? t->given.at + taken : NULL;
        if (object->is_byval && !take_byval(m, t, ins, registers[object->slot], given, object->size))
            return false;
        taken += object->is_byval ? object->size : 0;
        if (m->explore)
            rcp_explore_pushed(m, t, object->size, object->is_byval);
        registers[object->slot] = t->stack;
        if (t->terms)
            rcp_strand_terms(t, registers)[object->slot] = 0;
    }
    t->given.len = 0;
    return true;
}

static void note_jump(rcp_strand *t, uint64_t buffer, const rcp_ins *call) {
    uint32_t *index = rcp_map_at(&t->jump_index, buffer);
    rcp_jump jump = {t->frames.at[t->frames.len - 1].id, call};
    if (*index == RCP_MAP_NONE) {
        *index = (uint32_t)t->jumps.len;
        rcp_vec_push(&t->jumps, jump);
    } else
        t->jumps.at[*index] = jump;
}

/* Of the call's arguments those that the routine has; what the call does not give is 0. What a routine takes by
 * `va_arg` the machine puts into memory for it, where no instruction of ours sees it arrive: it is pinned. */
static void pass_arguments(rcp_machine *m, rcp_strand *t, const rcp_call *call, const rcp_routine *routine,
                           const rcp_ins *ins, const uint64_t *from, uint64_t *to) {
    size_t given = call->arguments.len, wanted = routine->n_arguments, n = given < wanted ? given : wanted, i;
    for (i = 0; i < n; i++)
        to[i] = from[call->arguments.at[i]];
    for (; i < wanted; i++)
        to[i] = 0;
    for (size_t k = n; m->lane && k < given; k++)
        rcp_concrete_pin(m, from[call->arguments.at[k]]);
    for (size_t k = n; m->explore && k < given; k++)
        rcp_explore_pin(m, from[call->arguments.at[k]]);
    if (!t->terms)
        return;
    const uint32_t *terms = rcp_strand_terms(t, from);
    uint32_t *into = rcp_strand_terms(t, to);
    for (i = 0; i < n; i++)
        into[i] = terms[call->arguments.at[i]];
    for (; i < given; i++)
        rcp_symbolic_pin(m->symbolic, t, ins, terms[call->arguments.at[i]], from[call->arguments.at[i]]);
}

/* A result that was logged is that of these operands. */
static void keep_operands(rcp_machine *m, rcp_strand *t, const rcp_ins *ins, const uint64_t *registers) {
    const rcp_call *given = &t->frames.at[t->frames.len - 1].routine->calls.at[ins->c - 1];
    for (size_t i = 0; i < given->arguments.len; i++) {
        int32_t slot = given->arguments.at[i];
        if (m->lane)
            rcp_concrete_pin(m, registers[slot]);
        else if (m->explore)
            rcp_explore_pin(m, registers[slot]);
        else if (rcp_strand_terms(t, registers)[slot])
            rcp_symbolic_pin_slot(m->symbolic, t, ins, slot);
    }
}

#define LIKELY(x)   __builtin_expect(!!(x), 1)
#define UNLIKELY(x) __builtin_expect(!!(x), 0)

#define VALUES    (!SHARING && !TERMS && !CONCRETE)
#define INTERPRET interpret_values
#define SHARING   0
#define TERMS     0
#define CONCRETE  0
#include "program/machine/interpret_body.inc"
#define INTERPRET interpret_sharing
#define SHARING   1
#define TERMS     0
#define CONCRETE  0
#include "program/machine/interpret_body.inc"
#define INTERPRET interpret_terms
#define SHARING   0
#define TERMS     1
#define CONCRETE  0
#include "program/machine/interpret_body.inc"
#define INTERPRET interpret_concrete
#define SHARING   0
#define TERMS     0
#define CONCRETE  1
#include "program/machine/interpret_body.inc"

rcp_pause rcp_interpret(rcp_machine *m) {
    switch (m->pass) {
    case RCP_PASS_SHARING: return interpret_sharing(m);
    case RCP_PASS_TERMS: return interpret_terms(m);
    case RCP_PASS_CONCRETE: return interpret_concrete(m);
    default: return interpret_values(m);
    }
}
