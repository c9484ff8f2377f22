/* SPDX-License-Identifier: Apache-2.0 */
#include "predict/rival/smt_float.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static unsigned sort_of(unsigned width) { return width == 64 ? RCP_SORT_DOUBLE : RCP_SORT_FLOAT; }
static const char *to_fp(unsigned width) { return width == 64 ? "(_ to_fp 11 53)" : "(_ to_fp 8 24)"; }

static rcp_formula as_float(rcp_smt_ops *o, rcp_formula bits, unsigned width) {
    return rcp_formula_apply1(o->pool, sort_of(width), to_fp(width), bits);
}

/* b3: the bits of a float. */
static rcp_formula as_bits(rcp_smt_ops *o, rcp_formula value, unsigned width) {
    rcp_formula bits = rcp_formula_variable(o->pool, width, "b%u", o->fresh++);
    o->approximate = true;
    rcp_formula_assert(o->pool, rcp_formula_apply2(o->pool, RCP_SORT_BOOL, "=", as_float(o, bits, width), value),
                       "the bits of a float");
    return bits;
}

static rcp_formula rounding(rcp_smt_ops *o, const char *mode) {
    return rcp_formula_apply(o->pool, RCP_SORT_ROUNDING, mode, NULL, 0);
}

static rcp_formula rounded(rcp_smt_ops *o, unsigned width, const char *name, const char *mode, rcp_formula a,
                           const rcp_formula *b, const rcp_formula *c) {
    rcp_formula args[4] = {rounding(o, mode), a};
    size_t n = 2;
    if (b)
        args[n++] = *b;
    if (c)
        args[n++] = *c;
    return as_bits(o, rcp_formula_apply(o->pool, sort_of(width), name, args, n), width);
}

static rcp_formula test(rcp_smt_ops *o, const char *name, rcp_formula a) {
    return rcp_formula_apply1(o->pool, RCP_SORT_BOOL, name, a);
}
static rcp_formula compare(rcp_smt_ops *o, const char *name, rcp_formula a, rcp_formula b) {
    return rcp_formula_apply2(o->pool, RCP_SORT_BOOL, name, a, b);
}

/* A power of two as a float of this width. */
static rcp_formula power(rcp_smt_ops *o, unsigned width, int exponent, bool negative) {
    double d = ldexp(negative ? -1 : 1, exponent);
    float f = (float)d;
    uint64_t bits = 0;
    if (width == 64)
        memcpy(&bits, &d, sizeof d);
    else
        memcpy(&bits, &f, sizeof f);
    return as_float(o, rcp_formula_literal(o->pool, width, bits), width);
}

/* As trace/model/term_eval.c's least() and greatest(): of two zeros the negative one is less; a NaN gives way. */
static rcp_formula choose(rcp_smt_ops *o, const rcp_formula arg[3], rcp_formula x, rcp_formula y, bool least) {
    rcp_formulas *pool = o->pool;
    rcp_formula x_first = test(o, "fp.isNegative", x);
    rcp_formula zeros = rcp_formula_ite(pool, x_first, arg[least ? 0 : 1], arg[least ? 1 : 0]);
    rcp_formula less = compare(o, "fp.lt", x, y);
    rcp_formula apart = rcp_formula_ite(pool, less, arg[least ? 0 : 1], arg[least ? 1 : 0]);
    rcp_formula with_nan = rcp_formula_ite(pool, test(o, "fp.isNaN", x), arg[1],
                                           rcp_formula_ite(pool, test(o, "fp.isNaN", y), arg[0], apart));
    o->approximate = true;
    return rcp_formula_ite(pool, compare(o, "fp.eq", x, y), zeros, with_nan);
}

/* Saturating, NaN to 0. */
static rcp_formula to_integer(rcp_smt_ops *o, rcp_formula x, unsigned from, unsigned width, bool sign) {
    rcp_formulas *pool = o->pool;
    char name[32];
    snprintf(name, sizeof name, sign ? "(_ fp.to_sbv %u)" : "(_ fp.to_ubv %u)", width);
    rcp_formula inside = rcp_formula_apply2(pool, width, name, rounding(o, "RTZ"), x);
    rcp_formula zero = rcp_formula_literal(pool, width, 0);
    if (!sign) {
        rcp_formula high = compare(o, "fp.leq", power(o, from, (int)width, false), x);
        rcp_formula limited = rcp_formula_ite(pool, high, rcp_formula_literal(pool, width, UINT64_MAX), inside);
        rcp_formula above =
            rcp_formula_and(pool, test(o, "fp.isPositive", x), rcp_formula_not(pool, test(o, "fp.isZero", x)));
        return rcp_formula_ite(pool, above, limited, zero);
    }
    rcp_formula high = compare(o, "fp.leq", power(o, from, (int)width - 1, false), x);
    rcp_formula low = compare(o, "fp.lt", x, power(o, from, (int)width - 1, true));
    uint64_t least = UINT64_C(1) << (width - 1);
    rcp_formula limited = rcp_formula_ite(pool, high, rcp_formula_literal(pool, width, least - 1),
                                          rcp_formula_ite(pool, low, rcp_formula_literal(pool, width, least), inside));
    return rcp_formula_ite(pool, test(o, "fp.isNaN", x), zero, limited);
}

rcp_formula rcp_smt_float(rcp_smt_ops *o, const rcp_term_node *node, unsigned from, const rcp_formula arg[3]) {
    rcp_formulas *pool = o->pool;
    unsigned width = node->width;
    uint64_t sign = UINT64_C(1) << (width - 1);
    bool float_in = rcp_op_borrow_traits(node->op)->is_float;
    unsigned arity = rcp_op_borrow_traits(node->op)->arity;
    rcp_formula x = float_in ? as_float(o, arg[0], from) : arg[0];
    rcp_formula y = float_in && arity > 1 ? as_float(o, arg[1], from) : RCP_FALSE;
    rcp_formula z = float_in && arity > 2 ? as_float(o, arg[2], from) : RCP_FALSE;
    switch ((rcp_op)node->op) {
    case RCP_OP_FADD: return rounded(o, width, "fp.add", "RNE", x, &y, NULL);
    case RCP_OP_FSUB: return rounded(o, width, "fp.sub", "RNE", x, &y, NULL);
    case RCP_OP_FMUL: return rounded(o, width, "fp.mul", "RNE", x, &y, NULL);
    case RCP_OP_FDIV: return rounded(o, width, "fp.div", "RNE", x, &y, NULL);
    case RCP_OP_FMA: return rounded(o, width, "fp.fma", "RNE", x, &y, &z);
    case RCP_OP_FREM: o->approximate = true; return rcp_formula_variable(pool, width, "b%u", o->fresh++);
    case RCP_OP_FMIN: return choose(o, arg, x, y, true);
    case RCP_OP_FMAX: return choose(o, arg, x, y, false);
    case RCP_OP_FNEG: return rcp_formula_apply2(pool, width, "bvxor", arg[0], rcp_formula_literal(pool, width, sign));
    case RCP_OP_FABS:
        return rcp_formula_apply2(pool, width, "bvand", arg[0], rcp_formula_literal(pool, width, sign - 1));
    case RCP_OP_FSQRT: return rounded(o, width, "fp.sqrt", "RNE", x, NULL, NULL);
    case RCP_OP_FFLOOR: return rounded(o, width, "fp.roundToIntegral", "RTN", x, NULL, NULL);
    case RCP_OP_FCEIL: return rounded(o, width, "fp.roundToIntegral", "RTP", x, NULL, NULL);
    case RCP_OP_FTRUNC: return rounded(o, width, "fp.roundToIntegral", "RTZ", x, NULL, NULL);
    case RCP_OP_FRINT: return rounded(o, width, "fp.roundToIntegral", "RNE", x, NULL, NULL);
    case RCP_OP_FROUND: return rounded(o, width, "fp.roundToIntegral", "RNA", x, NULL, NULL);
    case RCP_OP_FEQ: return rcp_smt_bit(o, compare(o, "fp.eq", x, y));
    case RCP_OP_FLT: return rcp_smt_bit(o, compare(o, "fp.lt", x, y));
    case RCP_OP_FLE: return rcp_smt_bit(o, compare(o, "fp.leq", x, y));
    case RCP_OP_FUNO: return rcp_smt_bit(o, rcp_formula_or(pool, test(o, "fp.isNaN", x), test(o, "fp.isNaN", y)));
    case RCP_OP_FEXT:
    case RCP_OP_FCUT: return rounded(o, width, to_fp(width), "RNE", x, NULL, NULL);
    case RCP_OP_FTOU: return to_integer(o, x, from, width, false);
    case RCP_OP_FTOS: return to_integer(o, x, from, width, true);
    case RCP_OP_UTOF:
        return rounded(o, width, width == 64 ? "(_ to_fp_unsigned 11 53)" : "(_ to_fp_unsigned 8 24)", "RNE", x, NULL,
                       NULL);
    case RCP_OP_STOF: return rounded(o, width, to_fp(width), "RNE", x, NULL, NULL);
    default: RCP_CHECK(!"no float operator");
    }
    return RCP_FALSE;
}
