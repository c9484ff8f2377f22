/* SPDX-License-Identifier: Apache-2.0 */
/* The interpreter with terms: the word beside a register is its term. */
#include "program/machine/interpret.h"
#include "program/symbolic/marks.h"
#include "program/symbolic/ops.h"
#include "program/symbolic/symbolic.h"

/* While nothing is known of an access's granule but its bytes, terms need no look at it. */
static inline bool is_plain(uint8_t *at, uint64_t address, uint64_t size) {
    return address % RCP_SPACE_GRANULE + size <= RCP_SPACE_GRANULE && !*rcp_space_mark(at, address);
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
    S[pc->d] = UNLIKELY(!at || S[pc->a] || !is_plain(at, address, size))                                               \
                   ? rcp_symbolic_load((m)->shadow, t, pc, R, S, size, is_event, value)                                \
                   : 0
#define ON_STORE(m, t, pc, R, S, at, address, value, size)                                                             \
    if (UNLIKELY(!at || (S[pc->a] | S[pc->d]) || !is_plain(at, address, size)))                                        \
    rcp_symbolic_store((m)->shadow, t, pc, R, S, size)
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
