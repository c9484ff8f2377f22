/* SPDX-License-Identifier: Apache-2.0 */
/* Instructions on single slots as terms. */
#include "program/symbolic/state.h"
#include "program/symbolic/symbolic.h"

#include "base/limits.h"

static unsigned bits_in(uint64_t mask) { return mask ? 64u - (unsigned)__builtin_clzll(mask) : 1; }

/* How many bits both operands need: unsigned operations may be done in as many. */
static unsigned common_width(rcp_symbolic *s, uint32_t ta, uint64_t a, uint32_t tb, uint64_t b) {
    unsigned wa = ta ? rcp_symbolic_width(s, ta) : bits_in(a), wb = tb ? rcp_symbolic_width(s, tb) : bits_in(b);
    if (ta && tb)
        return wa > wb ? wa : wb;
    unsigned symbolic = ta ? wa : wb, constant = ta ? wb : wa;
    return constant <= symbolic ? symbolic : 64;
}

typedef struct operands {
    uint32_t ta, tb;
    uint64_t a, b;
} operands;

static uint32_t binary(rcp_symbolic *s, rcp_op op, unsigned width, operands o) {
    return rcp_symbolic_make(s, op, width, rcp_symbolic_fit(s, o.ta, o.a, width), rcp_symbolic_fit(s, o.tb, o.b, width),
                             RCP_TERM_CONST);
}

static uint32_t change(rcp_symbolic *s, rcp_op op, unsigned to, rcp_term from) {
    return rcp_symbolic_make(s, op, to, from, RCP_TERM_CONST, RCP_TERM_CONST);
}

static uint32_t common(rcp_symbolic *s, rcp_op op, operands o) {
    return binary(s, op, common_width(s, o.ta, o.a, o.tb, o.b), o);
}

static operands swapped(operands o) { return (operands){o.tb, o.ta, o.b, o.a}; }

/* RCP_INS_EQ … RCP_INS_SLE; `width` is that of the signed ones. */
static uint32_t compared(rcp_symbolic *s, rcp_ins_op op, unsigned width, operands o) {
    switch (op) {
    case RCP_INS_EQ: return common(s, RCP_OP_EQ, o);
    case RCP_INS_NE: return common(s, RCP_OP_NE, o);
    case RCP_INS_UGT: return common(s, RCP_OP_ULT, swapped(o));
    case RCP_INS_UGE: return common(s, RCP_OP_ULE, swapped(o));
    case RCP_INS_ULT: return common(s, RCP_OP_ULT, o);
    case RCP_INS_ULE: return common(s, RCP_OP_ULE, o);
    case RCP_INS_SGT: return binary(s, RCP_OP_SLT, width, swapped(o));
    case RCP_INS_SGE: return binary(s, RCP_OP_SLE, width, swapped(o));
    case RCP_INS_SLT: return binary(s, RCP_OP_SLT, width, o);
    default: return binary(s, RCP_OP_SLE, width, o);
    }
}

/* LLVM's predicates are sets of outcomes: equal, greater, less, unordered. */
static uint32_t float_compared(rcp_symbolic *s, unsigned predicate, unsigned width, operands o) {
    static const rcp_op ops[] = {RCP_OP_FEQ, RCP_OP_FLT, RCP_OP_FLT, RCP_OP_FUNO};
    uint32_t all = 0;
    for (unsigned i = 0; i < 4; i++) {
        if (!(predicate >> i & 1))
            continue;
        uint32_t one = binary(s, ops[i], width, i == 1 ? swapped(o) : o);
        all = !all ? one
                   : rcp_symbolic_make(s, RCP_OP_OR, 1, rcp_symbolic_term(all), rcp_symbolic_term(one), RCP_TERM_CONST);
    }
    return predicate == 15 ? 0 : all;
}

/* A shift to the right of a value that may be narrower than its slot's type: its zeros are not in the term. */
static uint32_t shifted_right(rcp_symbolic *s, operands o) {
    if (o.tb)
        return binary(s, RCP_OP_LSHR, 64, o);
    unsigned width = rcp_symbolic_width(s, o.ta);
    return o.b >= width ? 0 : rcp_symbolic_extract(s, o.ta, (unsigned)o.b, width - (unsigned)o.b);
}

/* Where the divisor could be one with which a machine traps, it is kept from that. */
static void keep_dividing(rcp_symbolic *s, rcp_strand *t, const rcp_ins *ins, operands *o, unsigned width,
                          bool is_signed) {
    if (!o->tb)
        return;
    uint64_t minus_one = width < 64 ? (UINT64_C(1) << width) - 1 : UINT64_MAX;
    if (!o->b || (is_signed && o->b == minus_one)) {
        rcp_symbolic_pin(s, t, ins, o->tb, o->b);
        o->tb = 0;
        return;
    }
    operands zero = {o->tb, 0, o->b, 0}, minus = {o->tb, 0, o->b, minus_one};
    rcp_symbolic_tell(s, t, ins, binary(s, RCP_OP_NE, width, zero), true);
    if (is_signed)
        rcp_symbolic_tell(s, t, ins, binary(s, RCP_OP_NE, width, minus), true);
}

static uint32_t divided(rcp_symbolic *s, rcp_strand *t, const rcp_ins *ins, rcp_op op, operands o) {
    bool is_signed = op == RCP_OP_SDIV || op == RCP_OP_SREM;
    unsigned width = is_signed ? 64u - ins->k : common_width(s, o.ta, o.a, o.tb, o.b);
    if (!o.tb && !o.b) { /* the machine that does not trap gives what terms have no word for */
        rcp_symbolic_pin(s, t, ins, o.ta, o.a);
        return 0;
    }
    keep_dividing(s, t, ins, &o, width, is_signed);
    return o.ta || o.tb ? binary(s, op, width, o) : 0;
}

/* Where the recorded run was not defined itself, there is nothing to keep. */
void rcp_symbolic_below(rcp_symbolic *s, rcp_strand *t, const rcp_ins *ins, const uint64_t *R, uint32_t *T) {
    rcp_symbolic_decides(s, t, ins, T, ins->a);
    if (!T[ins->a])
        return;
    operands o = {T[ins->a], 0, R[ins->a], (uint64_t)ins->x};
    unsigned width = rcp_symbolic_width(s, T[ins->a]);
    if (o.a < o.b && (width >= 64 || o.b >> width == 0))
        rcp_symbolic_tell(s, t, ins, binary(s, RCP_OP_ULT, width, o), true);
}

/* d = a + sign-extended b * x */
static uint32_t scaled(rcp_symbolic *s, const rcp_ins *ins, operands o) {
    unsigned width = 64u - ins->k;
    uint32_t index = o.tb;
    uint64_t value = o.b;
    if (index) {
        if (width < 64)
            index = change(s, RCP_OP_SEXT, 64, rcp_symbolic_fit(s, index, 0, width));
        if (ins->x != 1)
            index = binary(s, RCP_OP_MUL, 64, (operands){index, 0, 0, (uint64_t)ins->x});
    } else
        value = (uint64_t)((int64_t)(value << ins->k) >> ins->k) * (uint64_t)ins->x;
    if (!index && !value)
        return o.ta;
    return binary(s, RCP_OP_ADD, 64, (operands){o.ta, index, o.a, value});
}

static uint32_t sign_extended(rcp_symbolic *s, const rcp_ins *ins, operands o) {
    unsigned from = 64u - ins->k, to = bits_in((uint64_t)ins->x);
    rcp_term narrow = rcp_symbolic_fit(s, o.ta, 0, from);
    return to <= from ? rcp_symbolic_fit(s, narrow.v, 0, to).v : change(s, RCP_OP_SEXT, to, narrow);
}

static uint32_t selected(rcp_symbolic *s, const rcp_ins *ins, const uint64_t *R, const uint32_t *T) {
    operands o = {T[ins->a], T[ins->b], R[ins->a], R[ins->b]};
    unsigned width = 64;
    if (o.ta || o.tb)
        width = common_width(s, o.ta, o.a, o.tb, o.b);
    else if (o.a == o.b)
        return 0;
    else
        width = bits_in(o.a | o.b);
    return rcp_symbolic_make(s, RCP_OP_ITE, width, rcp_symbolic_bit(s, T[ins->c], 0),
                             rcp_symbolic_fit(s, o.ta, o.a, width), rcp_symbolic_fit(s, o.tb, o.b, width));
}

static uint32_t applied(rcp_symbolic *s, rcp_strand *t, const rcp_ins *ins, operands o) {
    uint64_t x = (uint64_t)ins->x;
    switch ((rcp_ins_op)ins->op) {
    case RCP_INS_ADD_64: return binary(s, RCP_OP_ADD, 64, o);
    case RCP_INS_ADD_32: return binary(s, RCP_OP_ADD, 32, o);
    case RCP_INS_ADD: return binary(s, RCP_OP_ADD, bits_in(x), o);
    case RCP_INS_SUB_64: return binary(s, RCP_OP_SUB, 64, o);
    case RCP_INS_SUB_32: return binary(s, RCP_OP_SUB, 32, o);
    case RCP_INS_SUB: return binary(s, RCP_OP_SUB, bits_in(x), o);
    case RCP_INS_MUL_64: return binary(s, RCP_OP_MUL, 64, o);
    case RCP_INS_MUL_32: return binary(s, RCP_OP_MUL, 32, o);
    case RCP_INS_MUL: return binary(s, RCP_OP_MUL, bits_in(x), o);
    case RCP_INS_SHL: return binary(s, RCP_OP_SHL, bits_in(x), o);
    case RCP_INS_LSHR: return !o.ta ? binary(s, RCP_OP_LSHR, 64, o) : shifted_right(s, o);
    case RCP_INS_ASHR: return binary(s, RCP_OP_ASHR, 64u - ins->k, o);
    case RCP_INS_AND: return common(s, RCP_OP_AND, o);
    case RCP_INS_OR: return common(s, RCP_OP_OR, o);
    case RCP_INS_XOR: return common(s, RCP_OP_XOR, o);
    case RCP_INS_UDIV: return divided(s, t, ins, RCP_OP_UDIV, o);
    case RCP_INS_UREM: return divided(s, t, ins, RCP_OP_UREM, o);
    case RCP_INS_SDIV: return divided(s, t, ins, RCP_OP_SDIV, o);
    case RCP_INS_SREM: return divided(s, t, ins, RCP_OP_SREM, o);
    case RCP_INS_ADD_X: return binary(s, RCP_OP_ADD, 64, (operands){o.ta, 0, 0, x});
    case RCP_INS_ADDM_X: return binary(s, RCP_OP_ADD, bits_in(x), (operands){o.ta, 0, 0, (uint64_t)(int64_t)ins->b});
    case RCP_INS_AND_X: {
        unsigned width = rcp_symbolic_width(s, o.ta);
        uint64_t mask = width < 64 ? (UINT64_C(1) << width) - 1 : UINT64_MAX;
        if ((x & mask) == mask)
            return o.ta;
        if (x && !(x & (x + 1))) /* a mask of low bits is a cut */
            return rcp_symbolic_extract(s, o.ta, 0, bits_in(x));
        return x & mask ? binary(s, RCP_OP_AND, width, (operands){o.ta, 0, 0, x & mask}) : 0;
    }
    case RCP_INS_XOR_X: return common(s, RCP_OP_XOR, (operands){o.ta, 0, 0, x});
    case RCP_INS_SHL_X: {
        unsigned width = bits_in(x);
        return (unsigned)ins->b >= width ? 0 : binary(s, RCP_OP_SHL, width, (operands){o.ta, 0, 0, (uint64_t)ins->b});
    }
    case RCP_INS_LSHR_X: return shifted_right(s, (operands){o.ta, 0, 0, (uint64_t)ins->b});
    case RCP_INS_SCALE: return scaled(s, ins, o);
    case RCP_INS_SEXT: return sign_extended(s, ins, o);
    case RCP_INS_FADD_64: return binary(s, RCP_OP_FADD, 64, o);
    case RCP_INS_FSUB_64: return binary(s, RCP_OP_FSUB, 64, o);
    case RCP_INS_FMUL_64: return binary(s, RCP_OP_FMUL, 64, o);
    case RCP_INS_FDIV_64: return binary(s, RCP_OP_FDIV, 64, o);
    case RCP_INS_FADD_32: return binary(s, RCP_OP_FADD, 32, o);
    case RCP_INS_FSUB_32: return binary(s, RCP_OP_FSUB, 32, o);
    case RCP_INS_FMUL_32: return binary(s, RCP_OP_FMUL, 32, o);
    case RCP_INS_FDIV_32: return binary(s, RCP_OP_FDIV, 32, o);
    case RCP_INS_FCMP_64: return float_compared(s, ins->k, 64, o);
    case RCP_INS_FCMP_32: return float_compared(s, ins->k, 32, o);
    case RCP_INS_SI_TO_64: return change(s, RCP_OP_STOF, 64, rcp_symbolic_fit(s, o.ta, 0, 64u - ins->k));
    case RCP_INS_UI_TO_64: return change(s, RCP_OP_UTOF, 64, rcp_symbolic_term(o.ta));
    case RCP_INS_F32_TO_64: return change(s, RCP_OP_FEXT, 64, rcp_symbolic_fit(s, o.ta, 0, 32));
    case RCP_INS_F64_TO_32: return change(s, RCP_OP_FCUT, 32, rcp_symbolic_fit(s, o.ta, 0, 64));
    default:
        RCP_CHECK(ins->op >= RCP_INS_EQ && ins->op <= RCP_INS_SLE);
        return compared(s, (rcp_ins_op)ins->op, 64u - ins->k, o);
    }
}

/* One operand only: the rest of the instruction is numbers. */
static bool is_unary(rcp_ins_op op) {
    switch (op) {
    case RCP_INS_ADD_X:
    case RCP_INS_AND_X:
    case RCP_INS_XOR_X:
    case RCP_INS_SHL_X:
    case RCP_INS_LSHR_X:
    case RCP_INS_ADDM_X:
    case RCP_INS_SEXT:
    case RCP_INS_SI_TO_64:
    case RCP_INS_UI_TO_64:
    case RCP_INS_F32_TO_64:
    case RCP_INS_F64_TO_32: return true;
    default: return false;
    }
}

/* Has the operation no value, or traps, for some operands? Then it hangs on more than its result says, and what would
 * be unknown is pinned. */
static bool is_partial(rcp_ins_op op) {
    switch (op) {
    case RCP_INS_UDIV:
    case RCP_INS_UREM:
    case RCP_INS_SDIV:
    case RCP_INS_SREM:
    case RCP_INS_SHL:
    case RCP_INS_LSHR:
    case RCP_INS_ASHR: return true;
    default: return false;
    }
}

uint32_t rcp_symbolic_apply(rcp_symbolic *s, rcp_strand *t, const rcp_ins *ins, const uint64_t *R, uint32_t *T) {
    const int32_t slots[] = {ins->a, ins->b, ins->c};
    bool unary = is_unary((rcp_ins_op)ins->op), chooses = ins->op == RCP_INS_SELECT;
    uint32_t result;
    if (rcp_symbolic_mixes(s, t, R, T, slots, unary ? 1 : chooses ? 3 : 2, &result)) {
        if (!is_partial((rcp_ins_op)ins->op))
            return result;
        rcp_symbolic_pin_slot(s, t, ins, ins->a);
        rcp_symbolic_pin_slot(s, t, ins, ins->b);
        return 0;
    }
    if (chooses)
        return T[ins->a] | T[ins->b] | T[ins->c] ? selected(s, ins, R, T) : 0;
    operands o = {T[ins->a], unary ? 0 : T[ins->b], R[ins->a], unary ? 0 : R[ins->b]};
    return o.ta || o.tb ? applied(s, t, ins, o) : 0;
}

void rcp_symbolic_branch(rcp_symbolic *s, rcp_strand *t, const rcp_ins *ins, const uint64_t *R, uint32_t *T,
                         bool is_so) {
    rcp_symbolic_decides(s, t, ins, T, ins->a);
    if (ins->op != RCP_INS_BRANCH)
        rcp_symbolic_decides(s, t, ins, T, ins->b);
    if (ins->op == RCP_INS_BRANCH) {
        rcp_symbolic_tell(s, t, ins, rcp_symbolic_bit(s, T[ins->a], R[ins->a]).v, is_so);
        return;
    }
    operands o = {T[ins->a], T[ins->b], R[ins->a], R[ins->b]};
    if (!o.ta && !o.tb)
        return;
    rcp_ins_op op = (rcp_ins_op)(ins->op - RCP_INS_J_EQ + RCP_INS_EQ);
    uint32_t cond = compared(s, op, 64u - ins->k, o);
    if (cond)
        rcp_symbolic_tell(s, t, ins, cond, is_so);
}

/* --- switches --- */

/* Where the i-th value goes. */
static int32_t target_of(const rcp_switch *ways, size_t i) {
    return ways->targets.at[i] ? ways->targets.at[i] : ways->otherwise;
}

static operands against(const rcp_switch *ways, size_t i, const rcp_ins *ins, const uint64_t *R, const uint32_t *T) {
    return (operands){T[ins->a], 0, R[ins->a], ways->keys.len ? ways->keys.at[i] : ways->low + i};
}

/* A number for each way: 0 is where no value is said to go. */
static uint32_t number_of(const rcp_switch *ways, int32_t target) {
    uint32_t i = 0;
    while (target != ways->otherwise && target_of(ways, i) != target)
        i++;
    return target == ways->otherwise ? 0 : i + 1;
}

static bool has_more_than_two(const rcp_switch *ways) {
    int32_t other = ways->otherwise;
    for (size_t i = 0; i < ways->targets.len; i++) {
        if (target_of(ways, i) == ways->otherwise || target_of(ways, i) == other)
            continue;
        if (other != ways->otherwise)
            return true;
        other = target_of(ways, i);
    }
    return false;
}

/* Of few values, which way they go: whoever asks for another way can ask for each. */
static uint32_t way_of(rcp_symbolic *s, const rcp_ins *ins, const uint64_t *R, const uint32_t *T,
                       const rcp_switch *ways) {
    enum { WIDTH = 8 };
    uint32_t way = 0;
    for (size_t i = ways->targets.len; i-- > 0;) {
        if (target_of(ways, i) == ways->otherwise)
            continue;
        rcp_term is = rcp_symbolic_term(common(s, RCP_OP_EQ, against(ways, i, ins, R, T)));
        way = rcp_symbolic_make(s, RCP_OP_ITE, WIDTH, is,
                                rcp_symbolic_fit(s, 0, number_of(ways, target_of(ways, i)), WIDTH),
                                rcp_symbolic_fit(s, way, 0, WIDTH));
    }
    return way;
}

/* 'It goes the same way': one of the values that go there, or none of all that go elsewhere. */
static uint32_t same_way(rcp_symbolic *s, const rcp_ins *ins, const uint64_t *R, const uint32_t *T,
                         const rcp_switch *ways, int32_t way, size_t *n) {
    bool is_default = way == ways->otherwise;
    uint32_t cond = 0;
    for (size_t i = 0; i < ways->targets.len && *n <= rcp_limit(RCP_LIMIT_SWITCH_WAYS); i++) {
        if (is_default ? target_of(ways, i) == ways->otherwise : target_of(ways, i) != way)
            continue;
        rcp_term one = rcp_symbolic_term(common(s, is_default ? RCP_OP_NE : RCP_OP_EQ, against(ways, i, ins, R, T)));
        cond = !(*n)++ ? one.v
                       : rcp_symbolic_make(s, is_default ? RCP_OP_AND : RCP_OP_OR, 1, rcp_symbolic_term(cond), one,
                                           RCP_TERM_CONST);
    }
    return cond;
}

/* Where the values are many that go this way, the value itself is kept. */
void rcp_symbolic_switch(rcp_symbolic *s, rcp_strand *t, const rcp_ins *ins, const uint64_t *R, uint32_t *T,
                         const rcp_switch *ways, int32_t way) {
    rcp_symbolic_decides(s, t, ins, T, ins->a);
    if (!T[ins->a])
        return;
    if (ways->targets.len <= rcp_limit(RCP_LIMIT_SWITCH_WAYS) && has_more_than_two(ways)) {
        rcp_symbolic_tell(s, t, ins, way_of(s, ins, R, T, ways), number_of(ways, way));
        return;
    }
    size_t n = 0;
    uint32_t cond = same_way(s, ins, R, T, ways, way, &n);
    if (n > rcp_limit(RCP_LIMIT_SWITCH_WAYS)) {
        rcp_limit_reached(RCP_LIMIT_SWITCH_WAYS);
        rcp_symbolic_pin_slot(s, t, ins, ins->a);
    } else if (n)
        rcp_symbolic_tell(s, t, ins, cond, true);
}
