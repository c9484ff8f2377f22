/* SPDX-License-Identifier: Apache-2.0 */
/* The interpreter of a thread on its way along a witness: every access is the lane's to carry out. */
#include "program/concrete/concrete.h"
#include "program/machine/interpret.h"

#define OWN_MEMORY                               1
#define CARRY_LOAD                               rcp_concrete_load
#define CARRY_STORE                              rcp_concrete_store
#define CARRY_LOAD_WIDE                          load_row
#define CARRY_STORE_WIDE                         store_row
#define CARRY_ATOMIC                             rcp_concrete_atomic
#define CARRY_COPY(m, t, pc, S, to, from, size)  rcp_concrete_copy(m, pc, to, from, size)
#define CARRY_FILL(m, t, pc, S, to, byte, size)  rcp_concrete_fill(m, pc, to, byte, size)
#define CARRY_BYVAL(m, t, pc, from, given, size) carry_parameter(m, t, pc, from, given, size)
#define ON_FENCE(m, t, pc)                       rcp_concrete_fence(m, pc)
#define ON_ARRIVAL(m, t, pc, R, S)               rcp_concrete_fence(m, pc)
/* Where it would trap on some machine, nothing that comes after is an execution: unless it did so when recorded. */
#define ON_DIVISION(m, pc, a, b) rcp_concrete_pin(m, !(b))
#define ON_BELOW(m, t, pc, R, S) rcp_concrete_pin(m, R[(pc)->a] < (uint64_t)(pc)->x)
#define ON_FITS(m, pc, R)        rcp_concrete_pin(m, overflows(pc, R))
#define ON_CONVERT(m, pc, R)                                                                                           \
    if ((pc)->k == RCP_CONV_FP_TO_SI || (pc)->k == RCP_CONV_FP_TO_UI)                                                  \
    rcp_concrete_pin(m, rcp_float_fits((rcp_conversion)(pc)->k, (rcp_scalar)(pc)->c, (rcp_scalar)(pc)->e, &R[(pc)->a]))
#define ON_PIN(m, t, pc, shadow, value)  rcp_concrete_pin(m, value)
#define ON_OPERAND(m, t, pc, slot, R, S) rcp_concrete_pin(m, R[slot])
#define ON_CALLBACK_RETURN(m, t, pc, R, S, position)                                                                   \
    for (int32_t i = 0; i < (pc)->d; i++)                                                                              \
    rcp_concrete_pin(m, R[(pc)->a + i])

static bool overflows(const rcp_ins *pc, const uint64_t *R) {
    uint64_t ignored[2];
    return rcp_scalar_overflow((rcp_overflow)pc->k, (rcp_scalar)pc->c, ignored, &R[pc->a], &R[pc->b]);
}

static bool load_row(rcp_machine *m, const rcp_ins *ins, const rcp_layout *layout, uint64_t *R) {
    uint8_t *bytes = rcp_alloc_zero(layout->size + 1, 1);
    bool done = rcp_concrete_load(m, ins, R[ins->a], bytes, layout->size);
    if (done)
        rcp_row_read(layout, bytes, &R[ins->d]);
    rcp_release(bytes);
    return done;
}

/* Gaps are nobody's to write: they go back as they are seen. */
static bool store_row(rcp_machine *m, const rcp_ins *ins, const rcp_layout *layout, const uint64_t *R) {
    uint8_t *bytes = rcp_alloc_zero(layout->size + 1, 1);
    rcp_concrete_peek(m, R[ins->a], bytes, layout->size);
    rcp_row_write(layout, bytes, &R[ins->d]);
    bool done = rcp_concrete_store(m, ins, R[ins->a], bytes, layout->size);
    rcp_release(bytes);
    return done;
}

static bool carry_parameter(rcp_machine *m, const rcp_strand *t, const rcp_ins *ins, uint64_t from,
                            const uint8_t *given, uint64_t size) {
    return given ? rcp_concrete_store(m, ins, t->stack, given, size) : rcp_concrete_copy(m, ins, t->stack, from, size);
}

#define INTERPRET rcp_concrete_interpret
#include "program/machine/interpret_body.inc"
