/* SPDX-License-Identifier: Apache-2.0 */
/* The interpreter with terms: the word beside a register is its term. */
#include "program/machine/interpret.h"
#include "program/symbolic/state.h"
#include "program/symbolic/symbolic.h"

/* The mark of an access within a granule that is not shared, whose address has no term; else RCP_SYMBOLIC_SHARED. */
static inline uint32_t own_mark(uint8_t *at, uint64_t address, uint64_t size, uint32_t address_term) {
    bool is_within = at && address % RCP_SPACE_GRANULE + size <= RCP_SPACE_GRANULE;
    return LIKELY(is_within && !address_term) ? *rcp_space_mark(at, address) : RCP_SYMBOLIC_SHARED;
}

/* Are these bytes of a cell one term's, from its first byte on? Then *term is it; 0: they have none. */
static inline __attribute__((always_inline)) bool is_of_one(const rcp_cell *cell, uint32_t at, uint32_t size,
                                                            uint32_t *term) {
    *term = cell->term[at];
    uint32_t other = 0;
    for (uint32_t i = 0; i < size; i++)
        other |= (cell->term[at + i] ^ *term) | (*term ? cell->lane[at + i] ^ i : 0);
    return !other;
}

/* Of the usual sizes alone: a loop of so many rounds is none. */
static bool is_whole(const rcp_cell *cell, uint32_t at, uint32_t size, uint32_t *term) {
    switch (size) {
    case 1: return is_of_one(cell, at, 1, term);
    case 2: return is_of_one(cell, at, 2, term);
    case 4: return is_of_one(cell, at, 4, term);
    case 8: return is_of_one(cell, at, 8, term);
    default: return false;
    }
}

/* Most of what a program computes with it keeps for itself, as whole as it stored it. */
static __attribute__((noinline)) uint32_t loaded(rcp_symbolic *s, rcp_strand *t, const rcp_ins *ins, const uint64_t *R,
                                                 uint32_t *T, uint32_t mark, uint64_t address, void *value,
                                                 uint32_t size, bool is_event) {
    uint32_t term;
    if (!(mark & RCP_SYMBOLIC_SHARED) && is_whole(&s->cells.at[mark], address % RCP_SPACE_GRANULE, size, &term)) {
        term = rcp_symbolic_now(s, t, term);
        if (!term || rcp_symbolic_is_unknown(term) || rcp_symbolic_width(s, term) == 8 * size)
            return term;
    }
    return rcp_symbolic_load(s, t, ins, R, T, size, is_event, value);
}

static __attribute__((noinline)) void stored(rcp_symbolic *s, rcp_strand *t, const rcp_ins *ins, const uint64_t *R,
                                             uint32_t *T, uint32_t mark, uint64_t address, uint32_t size) {
    if (mark & RCP_SYMBOLIC_SHARED)
        rcp_symbolic_store(s, t, ins, R, T, size);
    else
        rcp_symbolic_store_own(s, t, address, size, T[ins->d]);
}

#define SHADOW                                   1
#define ON_APPLY(m, t, pc, R, S)                 rcp_symbolic_apply((m)->shadow, t, pc, R, S)
#define ON_ROWS(m, t, pc, R, S)                  rcp_symbolic_rows((m)->shadow, t, pc, R, S)
#define ON_BRANCH(m, t, pc, R, S, is_so)         rcp_symbolic_branch((m)->shadow, t, pc, R, S, is_so)
#define ON_SWITCH(m, t, pc, R, S, ways, way)     rcp_symbolic_switch((m)->shadow, t, pc, R, S, ways, way)
#define ON_USE(m, t, pc, slot)                   rcp_symbolic_pin_slot((m)->shadow, t, pc, slot)
#define ON_PIN(m, t, pc, term, value)            rcp_symbolic_pin((m)->shadow, t, pc, term, value)
#define ON_LOAD_WIDE(m, t, pc, R, S, layout)     rcp_symbolic_load_wide((m)->shadow, t, pc, R, S, layout)
#define ON_STORE_WIDE(m, t, pc, R, S, layout)    rcp_symbolic_store_wide((m)->shadow, t, pc, R, S, layout)
#define ON_FENCE(m, t, pc)                       (rcp_symbolic_fence((m)->shadow, t, pc), true)
#define ON_ARRIVAL(m, t, pc, R, S)               arrived(m, t, pc, R, S)
#define CARRY_COPY(m, t, pc, S, to, from, size)  carry_copy(m, t, pc, S, to, from, size)
#define CARRY_FILL(m, t, pc, S, to, byte, size)  carry_fill(m, t, pc, S, to, byte, size)
#define CARRY_BYVAL(m, t, pc, from, given, size) carry_parameter(m, t, pc, from, given, size)
#define ON_ATOMIC(m, t, pc, R, S, old, result, writes, terms)                                                          \
    rcp_symbolic_atomic((m)->shadow, t, pc, R, S, old, result, terms)
#define ON_LOAD(m, t, pc, R, S, at, address, value, size, is_event)                                                    \
    uint32_t mark = own_mark(at, address, size, S[pc->a]);                                                             \
    S[pc->d] = UNLIKELY(mark) ? loaded((m)->shadow, t, pc, R, S, mark, address, value, size, is_event) : 0
#define ON_STORE(m, t, pc, R, S, at, address, value, size)                                                             \
    uint32_t mark = own_mark(at, address, size, S[pc->a]);                                                             \
    if (UNLIKELY(mark | S[pc->d]))                                                                                     \
    stored((m)->shadow, t, pc, R, S, mark, address, size)
#define ON_BELOW(m, t, pc, R, S)                                                                                       \
    if (UNLIKELY(S[pc->a]))                                                                                            \
    rcp_symbolic_below((m)->shadow, t, pc, R, S)
#define ON_OPERAND(m, t, pc, slot, R, S)                                                                               \
    if (S[slot])                                                                                                       \
    rcp_symbolic_pin_slot((m)->shadow, t, pc, slot)
/* Code outside takes it. */
#define ON_CALLBACK_RETURN(m, t, pc, R, S, position)                                                                   \
    for (int32_t i = 0; i < (pc)->d; i++)                                                                              \
    rcp_symbolic_pin((m)->shadow, t, pc, S[(pc)->a + i], R[(pc)->a + i])

static inline bool arrived(rcp_machine *m, rcp_strand *t, const rcp_ins *pc, const uint64_t *R, const uint32_t *S) {
    if (S[pc->a])
        rcp_symbolic_pin_slot(m->shadow, t, pc, pc->a);
    rcp_symbolic_arrived(m->shadow, t, pc, R[pc->a], (uint64_t)pc->x);
    return true;
}

static inline bool carry_copy(rcp_machine *m, rcp_strand *t, const rcp_ins *pc, uint32_t *S, uint64_t to, uint64_t from,
                              uint64_t size) {
    rcp_symbolic_pin_operands(m->shadow, t, pc, S);
    rcp_symbolic_copy(m->shadow, t, pc, to, from, size);
    return true;
}

static inline bool carry_fill(rcp_machine *m, rcp_strand *t, const rcp_ins *pc, uint32_t *S, uint64_t to, uint8_t byte,
                              uint64_t size) {
    rcp_space_fill(m->space, to, byte, size);
    rcp_symbolic_pin_operands(m->shadow, t, pc, S);
    rcp_symbolic_filled(m->shadow, t, pc, to, size);
    return true;
}

static inline bool carry_parameter(rcp_machine *m, rcp_strand *t, const rcp_ins *pc, uint64_t from,
                                   const uint8_t *given, uint64_t size) {
    if (given) {
        rcp_space_write(m->space, t->stack, given, size);
        rcp_symbolic_wrote(m->shadow, t, pc, t->stack, size);
    } else
        rcp_symbolic_copy(m->shadow, t, pc, t->stack, from, size);
    return true;
}

#define INTERPRET rcp_symbolic_interpret
#include "program/machine/interpret_body.inc"
