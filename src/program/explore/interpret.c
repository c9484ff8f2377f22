/* SPDX-License-Identifier: Apache-2.0 */
/* The interpreter of a run that is noted or thought out: what could trap or is not defined is told, and where objects
 * are on the stack. */
#include "program/explore/hooks.h"
#include "program/machine/interpret.h"

#define ON_DIVISION(m, pc, a, b) divides(m, pc, a, b)
#define ON_BELOW(m, t, pc, R, S)                                                                                       \
    if (UNLIKELY(R[(pc)->a] >= (uint64_t)(pc)->x))                                                                     \
    rcp_explore_trap(m, "a shift by too much")
#define ON_FITS(m, pc, R)                            fits(m, pc, R)
#define ON_CONVERT(m, pc, R)                         converts(m, pc, R)
#define ON_PIN(m, t, pc, shadow, value)              rcp_explore_pin(m, value)
#define ON_OPERAND(m, t, pc, slot, R, S)             rcp_explore_pin(m, R[slot])
#define ON_PUSHED(m, t, size, is_copy)               rcp_explore_pushed(m, t, size, is_copy)
#define ON_CALLBACK_RETURN(m, t, pc, R, S, position) returns(m, t, pc, R, position)

static inline void divides(rcp_machine *m, const rcp_ins *pc, uint64_t a, uint64_t b) {
    if (!b || (sign_extend(b, pc->k) == -1 && sign_extend(a, pc->k) == INT64_MIN >> pc->k && pc->op >= RCP_INS_SDIV))
        rcp_explore_trap(m, "a division that traps");
}

static inline void fits(rcp_machine *m, const rcp_ins *pc, const uint64_t *R) {
    uint64_t ignored[2];
    if (UNLIKELY(rcp_scalar_overflow((rcp_overflow)pc->k, (rcp_scalar)pc->c, ignored, &R[pc->a], &R[pc->b])))
        rcp_explore_trap(m, "a sum, difference or product that overflows");
}

static inline void converts(rcp_machine *m, const rcp_ins *pc, const uint64_t *R) {
    if ((pc->k == RCP_CONV_FP_TO_SI || pc->k == RCP_CONV_FP_TO_UI) &&
        !rcp_float_fits((rcp_conversion)pc->k, (rcp_scalar)pc->c, (rcp_scalar)pc->e, &R[pc->a]))
        rcp_explore_trap(m, "a number that its integer can't hold");
}

static void returns(rcp_machine *m, rcp_strand *t, const rcp_ins *pc, const uint64_t *R, uint64_t position) {
    t->pc = pc;
    t->position = position;
    rcp_explore_returns(m, &R[pc->a], pc->d);
}

#define INTERPRET rcp_explore_interpret
#include "program/machine/interpret_body.inc"
