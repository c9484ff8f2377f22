/* SPDX-License-Identifier: Apache-2.0 */
/* Instructions on rows of slots as terms: those that have a word for it; the operands of the others are pinned. */
#include "program/symbolic/state.h"
#include "program/symbolic/symbolic.h"

#include <string.h>

static void pin_row(rcp_symbolic *s, rcp_strand *t, const rcp_ins *ins, int32_t row, uint32_t slots) {
    const uint32_t *terms = rcp_strand_shadow(t, t->frames.at[t->frames.len - 1].registers);
    for (uint32_t i = 0; i < slots; i++)
        if (terms[row + (int32_t)i])
            rcp_symbolic_pin_slot(s, t, ins, row + (int32_t)i);
}

static bool has_terms(const uint32_t *T, int32_t row, uint32_t slots) {
    uint32_t any = 0;
    for (uint32_t i = 0; i < slots; i++)
        any |= T[row + (int32_t)i];
    return any;
}

static bool is_int(rcp_scalar scalar) {
    return RCP_SCALAR_KIND(scalar) == RCP_SCALAR_INT && RCP_SCALAR_BITS(scalar) <= 64;
}
static bool is_float(rcp_scalar scalar) {
    return RCP_SCALAR_KIND(scalar) == RCP_SCALAR_FLOAT || RCP_SCALAR_KIND(scalar) == RCP_SCALAR_DOUBLE;
}

/* The operands of the instruction at hand, in `width` bits. */
typedef struct row_operands {
    rcp_symbolic *s;
    unsigned width;
    rcp_term a, b, e;
} row_operands;

static rcp_term operand(rcp_symbolic *s, const uint64_t *R, const uint32_t *T, int32_t slot, unsigned width) {
    return rcp_symbolic_fit(s, T[slot], R[slot], width);
}

static uint32_t make(row_operands *o, rcp_op op) { return rcp_symbolic_make(o->s, op, o->width, o->a, o->b, o->e); }

static uint32_t both(rcp_symbolic *s, rcp_op op, unsigned width, uint32_t a, uint32_t b) {
    return rcp_symbolic_make(s, op, width, rcp_symbolic_term(a), rcp_symbolic_term(b), RCP_TERM_CONST);
}

static uint32_t constant(rcp_symbolic *s, unsigned width, uint64_t value) {
    return rcp_symbolic_fit(s, 0, value, width).v;
}

/* 0: terms have no word for it. */
static uint32_t binary_term(row_operands *o, rcp_binary op) {
    switch (op) {
    case RCP_BIN_ADD: return make(o, RCP_OP_ADD);
    case RCP_BIN_SUB: return make(o, RCP_OP_SUB);
    case RCP_BIN_MUL: return make(o, RCP_OP_MUL);
    case RCP_BIN_AND: return make(o, RCP_OP_AND);
    case RCP_BIN_OR: return make(o, RCP_OP_OR);
    case RCP_BIN_XOR: return make(o, RCP_OP_XOR);
    case RCP_BIN_UMIN: return make(o, RCP_OP_UMIN);
    case RCP_BIN_UMAX: return make(o, RCP_OP_UMAX);
    case RCP_BIN_SMIN: return make(o, RCP_OP_SMIN);
    case RCP_BIN_SMAX: return make(o, RCP_OP_SMAX);
    case RCP_BIN_NAND:
        return both(o->s, RCP_OP_XOR, o->width, make(o, RCP_OP_AND), constant(o->s, o->width, UINT64_MAX));
    case RCP_BIN_XCHG: return o->b.v;
    default: return 0;
    }
}

static uint32_t float_term(row_operands *o, rcp_binary op) {
    switch (op) {
    case RCP_BIN_FADD: return make(o, RCP_OP_FADD);
    case RCP_BIN_FSUB: return make(o, RCP_OP_FSUB);
    case RCP_BIN_FMUL: return make(o, RCP_OP_FMUL);
    case RCP_BIN_FDIV: return make(o, RCP_OP_FDIV);
    case RCP_BIN_FREM: return make(o, RCP_OP_FREM);
    case RCP_BIN_XCHG: return o->b.v;
    default: return 0;
    }
}

uint32_t rcp_symbolic_binary(rcp_symbolic *s, rcp_binary op, rcp_scalar scalar, rcp_term a, rcp_term b) {
    row_operands o = {s, RCP_SCALAR_BITS(scalar), a, b, RCP_TERM_CONST};
    return is_int(scalar) ? binary_term(&o, op) : is_float(scalar) ? float_term(&o, op) : 0;
}

static uint32_t unary_term(row_operands *o, rcp_unary op) {
    switch (op) {
    case RCP_UN_BSWAP: return make(o, RCP_OP_BSWAP);
    case RCP_UN_BITREVERSE: return make(o, RCP_OP_BITREVERSE);
    case RCP_UN_CTLZ: return make(o, RCP_OP_CTLZ);
    case RCP_UN_CTTZ: return make(o, RCP_OP_CTTZ);
    case RCP_UN_CTPOP: return make(o, RCP_OP_CTPOP);
    case RCP_UN_ABS: {
        uint32_t zero = constant(o->s, o->width, 0);
        return rcp_symbolic_make(o->s, RCP_OP_ITE, o->width, rcp_symbolic_term(both(o->s, RCP_OP_SLT, 1, o->a.v, zero)),
                                 rcp_symbolic_term(both(o->s, RCP_OP_SUB, o->width, zero, o->a.v)), o->a);
    }
    case RCP_UN_FNEG: return make(o, RCP_OP_FNEG);
    case RCP_UN_FABS: return make(o, RCP_OP_FABS);
    case RCP_UN_SQRT: return make(o, RCP_OP_FSQRT);
    case RCP_UN_FLOOR: return make(o, RCP_OP_FFLOOR);
    case RCP_UN_CEIL: return make(o, RCP_OP_FCEIL);
    case RCP_UN_TRUNC: return make(o, RCP_OP_FTRUNC);
    case RCP_UN_RINT: return make(o, RCP_OP_FRINT);
    case RCP_UN_ROUND: return make(o, RCP_OP_FROUND);
    default: return 0;
    }
}

static uint32_t conversion_term(rcp_symbolic *s, rcp_conversion op, rcp_scalar from, rcp_scalar to, uint32_t term) {
    unsigned n = RCP_SCALAR_BITS(from), m = RCP_SCALAR_BITS(to);
    rcp_term a = rcp_symbolic_fit(s, term, 0, n);
    switch (op) {
    case RCP_CONV_ZEXT: return is_int(from) && is_int(to) ? rcp_symbolic_fit(s, term, 0, m).v : 0;
    case RCP_CONV_SEXT:
        if (!is_int(from) || !is_int(to))
            return 0;
        return m <= n ? rcp_symbolic_fit(s, a.v, 0, m).v
                      : rcp_symbolic_make(s, RCP_OP_SEXT, m, a, RCP_TERM_CONST, RCP_TERM_CONST);
    case RCP_CONV_SI_TO_FP:
    case RCP_CONV_UI_TO_FP:
        if (!is_int(from) || !is_float(to))
            return 0;
        return rcp_symbolic_make(s, op == RCP_CONV_SI_TO_FP ? RCP_OP_STOF : RCP_OP_UTOF, m, a, RCP_TERM_CONST,
                                 RCP_TERM_CONST);
    case RCP_CONV_FP_TO_SI:
    case RCP_CONV_FP_TO_UI:
        if (!is_float(from) || !is_int(to))
            return 0;
        return rcp_symbolic_make(s, op == RCP_CONV_FP_TO_SI ? RCP_OP_FTOS : RCP_OP_FTOU, m, a, RCP_TERM_CONST,
                                 RCP_TERM_CONST);
    case RCP_CONV_FP:
        if (!is_float(from) || !is_float(to) || n == m)
            return n == m && is_float(from) && is_float(to) ? a.v : 0;
        return rcp_symbolic_make(s, m > n ? RCP_OP_FEXT : RCP_OP_FCUT, m, a, RCP_TERM_CONST, RCP_TERM_CONST);
    default: return 0;
    }
}

/* The result and whether it overflowed: computed in twice the width where that is there. False: no word for it. */
static bool overflow_terms(rcp_symbolic *s, rcp_overflow op, unsigned w, rcp_term a, rcp_term b, uint32_t result[2]) {
    static const rcp_op ops[] = {RCP_OP_ADD, RCP_OP_SUB, RCP_OP_MUL, RCP_OP_ADD, RCP_OP_SUB, RCP_OP_MUL};
    bool is_signed = op >= RCP_OVER_SADD;
    result[0] = both(s, ops[op], w, a.v, b.v);
    if (w <= 32) {
        rcp_op widen = is_signed ? RCP_OP_SEXT : RCP_OP_ZEXT;
        uint32_t wide[3], narrow[3] = {a.v, b.v, result[0]};
        for (int i = 0; i < 3; i++)
            wide[i] = rcp_symbolic_make(s, widen, 2 * w, rcp_symbolic_term(narrow[i]), RCP_TERM_CONST, RCP_TERM_CONST);
        result[1] = both(s, RCP_OP_NE, 1, both(s, ops[op], 2 * w, wide[0], wide[1]), wide[2]);
        return true;
    }
    uint32_t zero = constant(s, w, 0);
    switch (op) {
    case RCP_OVER_UADD: result[1] = both(s, RCP_OP_ULT, 1, result[0], a.v); return true;
    case RCP_OVER_USUB: result[1] = both(s, RCP_OP_ULT, 1, a.v, b.v); return true;
    case RCP_OVER_SADD:
    case RCP_OVER_SSUB: { /* the result's sign differs from a's, and b's sign let it */
        uint32_t other = op == RCP_OVER_SADD ? result[0] : a.v;
        uint32_t signs =
            both(s, RCP_OP_AND, w, both(s, RCP_OP_XOR, w, a.v, result[0]), both(s, RCP_OP_XOR, w, b.v, other));
        result[1] = both(s, RCP_OP_SLT, 1, signs, zero);
        return true;
    }
    default: return false;
    }
}

static void set_row(uint32_t *T, int32_t row, uint32_t slots, uint32_t first) {
    memset(&T[row], 0, slots * sizeof *T);
    if (slots)
        T[row] = first;
}

/* A comparison's operands, as EQ and the like have them. */
static uint32_t comparison_term(rcp_symbolic *s, unsigned predicate, rcp_scalar scalar, rcp_term a, rcp_term b) {
    if (is_int(scalar)) {
        switch ((LLVMIntPredicate)predicate) {
        case LLVMIntEQ: return both(s, RCP_OP_EQ, 1, a.v, b.v);
        case LLVMIntNE: return both(s, RCP_OP_NE, 1, a.v, b.v);
        case LLVMIntUGT: return both(s, RCP_OP_ULT, 1, b.v, a.v);
        case LLVMIntUGE: return both(s, RCP_OP_ULE, 1, b.v, a.v);
        case LLVMIntULT: return both(s, RCP_OP_ULT, 1, a.v, b.v);
        case LLVMIntULE: return both(s, RCP_OP_ULE, 1, a.v, b.v);
        case LLVMIntSGT: return both(s, RCP_OP_SLT, 1, b.v, a.v);
        case LLVMIntSGE: return both(s, RCP_OP_SLE, 1, b.v, a.v);
        case LLVMIntSLT: return both(s, RCP_OP_SLT, 1, a.v, b.v);
        default: return both(s, RCP_OP_SLE, 1, a.v, b.v);
        }
    }
    return 0;
}

/* Lanes of a row: the index is pinned, the terms move with the values. */
static void insert_or_extract(rcp_symbolic *s, rcp_strand *t, const rcp_ins *ins, const uint64_t *R, uint32_t *T) {
    if (T[ins->b])
        rcp_symbolic_pin_slot(s, t, ins, ins->b);
    bool is_there = R[ins->b] < (uint64_t)ins->x;
    int32_t lane = is_there ? (int32_t)R[ins->b] * ins->k : 0;
    if (ins->op == RCP_INS_INSERT && is_there)
        memcpy(&T[ins->d + lane], &T[ins->a], ins->k * sizeof *T);
    else if (ins->op == RCP_INS_EXTRACT && is_there)
        memmove(&T[ins->d], &T[ins->a + lane], ins->k * sizeof *T);
    else if (ins->op == RCP_INS_EXTRACT)
        memset(&T[ins->d], 0, ins->k * sizeof *T);
}

static void recast(rcp_symbolic *s, rcp_strand *t, const rcp_ins *ins, uint32_t *T) {
    const rcp_layout *layouts = t->frames.at[t->frames.len - 1].routine->layouts.at;
    const rcp_layout *from = &layouts[ins->b], *to = &layouts[ins->c];
    bool same = from->n == to->n && from->size == to->size;
    for (uint32_t i = 0; same && i < from->n; i++)
        same = from->leaves[i].offset == to->leaves[i].offset && from->leaves[i].bits == to->leaves[i].bits;
    if (same) {
        memmove(&T[ins->d], &T[ins->a], from->slots * sizeof *T);
        return;
    }
    pin_row(s, t, ins, ins->a, from->slots);
    memset(&T[ins->d], 0, to->slots * sizeof *T);
}

/* Has it a value whatever the operands are, so that an unknown one does no harm? Divisions, shifts, and floats that
 * become integers have not. */
static bool is_total(const rcp_ins *ins) {
    switch ((rcp_ins_op)ins->op) {
    case RCP_INS_COMPARE:
    case RCP_INS_OVERFLOW:
    case RCP_INS_FMA:
    case RCP_INS_UNARY: return true;
    case RCP_INS_CONVERT: return ins->k != RCP_CONV_FP_TO_SI && ins->k != RCP_CONV_FP_TO_UI;
    case RCP_INS_BINARY:
        return ins->k <= RCP_BIN_MUL || (ins->k >= RCP_BIN_AND && ins->k <= RCP_BIN_SMAX) ||
               (ins->k >= RCP_BIN_FADD && ins->k <= RCP_BIN_FREM);
    default: return false;
    }
}

void rcp_symbolic_rows(rcp_symbolic *s, rcp_strand *t, const rcp_ins *ins, const uint64_t *R, uint32_t *T) {
    rcp_scalar scalar = (rcp_scalar)ins->c;
    switch ((rcp_ins_op)ins->op) {
    case RCP_INS_INSERT:
    case RCP_INS_EXTRACT: insert_or_extract(s, t, ins, R, T); return;
    case RCP_INS_RECAST: recast(s, t, ins, T); return;
    default: break;
    }
    /* how many slots each operand and the result have */
    uint32_t slots = RCP_SCALAR_SLOTS(scalar), width = RCP_SCALAR_BITS(scalar), result = slots;
    bool has_b = ins->op != RCP_INS_CONVERT && ins->op != RCP_INS_UNARY;
    bool has_e = ins->op == RCP_INS_FMA || ins->op == RCP_INS_FUNNEL || ins->op == RCP_INS_OWN_NAN;
    if (ins->op == RCP_INS_COMPARE)
        result = 1;
    else if (ins->op == RCP_INS_CONVERT)
        result = RCP_SCALAR_SLOTS((rcp_scalar)ins->e);
    else if (ins->op == RCP_INS_OVERFLOW)
        result = slots + 1;
    else if (ins->op == RCP_INS_BINARY && ins->e) /* its result is of another type */
        result = RCP_SCALAR_SLOTS((rcp_scalar)ins->e);
    if (!has_terms(T, ins->a, slots) && (!has_b || !has_terms(T, ins->b, slots)) &&
        (!has_e || !has_terms(T, ins->e, slots))) {
        set_row(T, ins->d, result, 0);
        return;
    }
    uint32_t term = 0, pair[2];
    const int32_t operands[] = {ins->a, has_b ? ins->b : ins->a, has_e ? ins->e : ins->a};
    bool is_simple = (is_int(scalar) || is_float(scalar)) && width <= 64;
    if (is_simple && rcp_symbolic_mixes(s, t, R, T, operands, 3, &term)) {
        for (uint32_t i = 0; is_total(ins) && i < result; i++)
            T[ins->d + (int32_t)i] = term;
        if (is_total(ins))
            return;
        term = 0; /* all is pinned below */
    } else if (is_simple) {
        rcp_term none = RCP_TERM_CONST;
        row_operands o = {s, width, operand(s, R, T, ins->a, width), none, none};
        if (has_b)
            o.b = operand(s, R, T, ins->b, width);
        if (has_e)
            o.e = operand(s, R, T, ins->e, width);
        switch ((rcp_ins_op)ins->op) {
        case RCP_INS_BINARY: term = rcp_symbolic_binary(s, (rcp_binary)ins->k, scalar, o.a, o.b); break;
        case RCP_INS_COMPARE: term = comparison_term(s, ins->k, scalar, o.a, o.b); break;
        case RCP_INS_CONVERT:
            if (T[ins->a])
                term = conversion_term(s, (rcp_conversion)ins->k, scalar, (rcp_scalar)ins->e, T[ins->a]);
            break;
        case RCP_INS_UNARY: term = unary_term(&o, (rcp_unary)ins->k); break;
        case RCP_INS_FMA: term = is_float(scalar) ? make(&o, RCP_OP_FMA) : 0; break;
        case RCP_INS_OVERFLOW:
            if (is_int(scalar) && overflow_terms(s, (rcp_overflow)ins->k, width, o.a, o.b, pair)) {
                T[ins->d] = pair[0];
                T[ins->d + 1] = pair[1];
                return;
            }
            break;
        case RCP_INS_FUNNEL: { /* by a constant: two shifts */
            if (T[ins->e])
                rcp_symbolic_pin_slot(s, t, ins, ins->e);
            uint64_t by = R[ins->e] % width;
            if (!by)
                term = T[ins->k ? ins->a : ins->b];
            else {
                uint64_t left = ins->k ? by : width - by;
                term = both(s, RCP_OP_OR, width, both(s, RCP_OP_SHL, width, o.a.v, constant(s, width, left)),
                            both(s, RCP_OP_LSHR, width, o.b.v, constant(s, width, width - left)));
            }
            set_row(T, ins->d, result, term);
            return;
        }
        default: break; /* OWN_NAN: terms compute as this machine does */
        }
    }
    if (!term) {
        pin_row(s, t, ins, ins->a, slots);
        if (has_b)
            pin_row(s, t, ins, ins->b, slots);
        if (has_e)
            pin_row(s, t, ins, ins->e, slots);
    }
    set_row(T, ins->d, result, term);
}
