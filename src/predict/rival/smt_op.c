/* SPDX-License-Identifier: Apache-2.0 */
#include "predict/rival/smt_op.h"

#include "predict/rival/smt_float.h"

#include <stdio.h>

static rcp_formula bits(rcp_smt_ops *o, unsigned width, uint64_t word) {
    return rcp_formula_literal(o->pool, width, word);
}

static rcp_formula extract(rcp_smt_ops *o, rcp_formula from, unsigned low, unsigned width) {
    const rcp_formula_node *node = rcp_formula_borrow(o->pool, from);
    if (!low && width == node->sort)
        return from;
    if (node->op == RCP_F_LITERAL)
        return bits(o, width, node->word >> low);
    char name[32];
    snprintf(name, sizeof name, "(_ extract %u %u)", low + width - 1, low);
    return rcp_formula_apply1(o->pool, width, name, from);
}

rcp_formula rcp_smt_concat(rcp_smt_ops *o, rcp_formula upper, rcp_formula lower) {
    const rcp_formula_node *u = rcp_formula_borrow(o->pool, upper), *l = rcp_formula_borrow(o->pool, lower);
    unsigned width = u->sort + l->sort;
    if (u->op == RCP_F_LITERAL && l->op == RCP_F_LITERAL)
        return bits(o, width, u->word << l->sort | l->word);
    return rcp_formula_apply2(o->pool, width, "concat", upper, lower);
}

rcp_formula rcp_smt_bytes(rcp_smt_ops *o, rcp_formula value, unsigned from, unsigned n) {
    return extract(o, value, 8 * from, 8 * n);
}

static rcp_formula extend(rcp_smt_ops *o, rcp_formula a, unsigned width, bool sign) {
    unsigned from = rcp_formula_borrow(o->pool, a)->sort;
    if (from == width)
        return a;
    char name[32];
    snprintf(name, sizeof name, "(_ %s_extend %u)", sign ? "sign" : "zero", width - from);
    return rcp_formula_apply1(o->pool, width, name, a);
}

static rcp_formula truth(rcp_smt_ops *o, rcp_formula a) { return rcp_formula_equal(o->pool, a, bits(o, 1, 1)); }

static rcp_formula compare(rcp_smt_ops *o, const char *how, rcp_formula a, rcp_formula b) {
    return rcp_formula_apply2(o->pool, RCP_SORT_BOOL, how, a, b);
}

static rcp_formula count_ones(rcp_smt_ops *o, rcp_formula a, unsigned width) {
    rcp_formula sum = bits(o, width, 0);
    for (unsigned i = 0; i < width; i++)
        sum = rcp_formula_apply2(o->pool, width, "bvadd", sum, extend(o, extract(o, a, i, 1), width, false));
    return sum;
}

/* The number of zeros from the top, or from the bottom. */
static rcp_formula count_zeros(rcp_smt_ops *o, rcp_formula a, unsigned width, bool top) {
    rcp_formula result = bits(o, width, width);
    for (unsigned i = 0; i < width; i++) { /* the one that is asked first is built last */
        unsigned at = top ? i : width - 1 - i;
        result =
            rcp_formula_ite(o->pool, truth(o, extract(o, a, at, 1)), bits(o, width, top ? width - 1 - at : at), result);
    }
    return result;
}

static rcp_formula reverse(rcp_smt_ops *o, rcp_formula a, unsigned width, unsigned unit) {
    rcp_formula result = extract(o, a, 0, unit);
    for (unsigned i = unit; i < width; i += unit)
        result = rcp_smt_concat(o, result, extract(o, a, i, unit));
    return result;
}

static rcp_formula smaller(rcp_smt_ops *o, const char *how, rcp_formula a, rcp_formula b, bool least) {
    return least ? rcp_formula_ite(o->pool, compare(o, how, a, b), a, b)
                 : rcp_formula_ite(o->pool, compare(o, how, b, a), a, b);
}

/* The operator where all arguments have values and it has one. */
static rcp_formula apply(rcp_smt_ops *o, const rcp_term_node *node, unsigned from, const rcp_formula arg[3]) {
    static const char *const plain[] = {
        [RCP_OP_ADD] = "bvadd",   [RCP_OP_SUB] = "bvsub",   [RCP_OP_MUL] = "bvmul",   [RCP_OP_UDIV] = "bvudiv",
        [RCP_OP_SDIV] = "bvsdiv", [RCP_OP_UREM] = "bvurem", [RCP_OP_SREM] = "bvsrem", [RCP_OP_AND] = "bvand",
        [RCP_OP_OR] = "bvor",     [RCP_OP_XOR] = "bvxor",   [RCP_OP_SHL] = "bvshl",   [RCP_OP_LSHR] = "bvlshr",
        [RCP_OP_ASHR] = "bvashr",
    };
    rcp_formulas *pool = o->pool;
    rcp_formula a = arg[0], b = arg[1];
    unsigned width = node->width;
    if (rcp_op_borrow_traits(node->op)->is_float || node->op == RCP_OP_UTOF || node->op == RCP_OP_STOF)
        return rcp_smt_float(o, node, from, arg);
    switch ((rcp_op)node->op) {
    case RCP_OP_UMIN: return smaller(o, "bvult", a, b, true);
    case RCP_OP_UMAX: return smaller(o, "bvult", a, b, false);
    case RCP_OP_SMIN: return smaller(o, "bvslt", a, b, true);
    case RCP_OP_SMAX: return smaller(o, "bvslt", a, b, false);
    case RCP_OP_EQ: return rcp_smt_bit(o, rcp_formula_equal(pool, a, b));
    case RCP_OP_NE: return rcp_smt_bit(o, rcp_formula_not(pool, rcp_formula_equal(pool, a, b)));
    case RCP_OP_ULT: return rcp_smt_bit(o, compare(o, "bvult", a, b));
    case RCP_OP_ULE: return rcp_smt_bit(o, compare(o, "bvule", a, b));
    case RCP_OP_SLT: return rcp_smt_bit(o, compare(o, "bvslt", a, b));
    case RCP_OP_SLE: return rcp_smt_bit(o, compare(o, "bvsle", a, b));
    case RCP_OP_CTPOP: return count_ones(o, a, width);
    case RCP_OP_CTLZ: return count_zeros(o, a, width, true);
    case RCP_OP_CTTZ: return count_zeros(o, a, width, false);
    case RCP_OP_BSWAP: return reverse(o, a, width, 8);
    case RCP_OP_BITREVERSE: return reverse(o, a, width, 1);
    case RCP_OP_ZEXT: return extend(o, a, width, false);
    case RCP_OP_SEXT: return extend(o, a, width, true);
    case RCP_OP_EXTRACT: return extract(o, a, node->b, width);
    case RCP_OP_CONCAT: return rcp_smt_concat(o, a, b);
    case RCP_OP_ITE: return rcp_formula_ite(pool, truth(o, a), b, arg[2]);
    default:
        RCP_CHECK(node->op < sizeof plain / sizeof *plain && plain[node->op]);
        return rcp_formula_apply2(pool, width, plain[node->op], a, b);
    }
}

/* A partial operator has no value, or perhaps none: its second operand is unknown, or is a bad one. */
static rcp_formula traps(rcp_smt_ops *o, const rcp_term_node *node, const rcp_smt_value arg[3]) {
    rcp_formulas *pool = o->pool;
    unsigned width = node->width;
    rcp_formula a = arg[0].value, b = arg[1].value, bad;
    if (node->op == RCP_OP_SHL || node->op == RCP_OP_LSHR || node->op == RCP_OP_ASHR) {
        bad = rcp_formula_not(pool, compare(o, "bvult", b, bits(o, width, width)));
    } else {
        bad = rcp_formula_equal(pool, b, bits(o, width, 0));
        if (node->op == RCP_OP_SDIV || node->op == RCP_OP_SREM) {
            rcp_formula least = rcp_formula_equal(pool, a, bits(o, width, UINT64_C(1) << (width - 1)));
            rcp_formula maybe = rcp_formula_or(pool, rcp_formula_not(pool, arg[0].ok), least);
            bad = rcp_formula_or(pool, bad,
                                 rcp_formula_and(pool, rcp_formula_equal(pool, b, bits(o, width, UINT64_MAX)), maybe));
        }
    }
    return rcp_formula_or(pool, rcp_formula_not(pool, arg[1].ok), bad);
}

rcp_smt_value rcp_smt_combine(rcp_smt_ops *o, const rcp_term_node *node, unsigned from, const rcp_smt_value arg[3]) {
    unsigned arity = rcp_op_borrow_traits(node->op)->arity;
    rcp_formulas *pool = o->pool;
    rcp_formula values[3] = {arg[0].value, arg[1].value, arg[2].value};
    if (node->op == RCP_OP_ITE) { /* the side that is not chosen need have no value */
        rcp_formula chosen = truth(o, arg[0].value);
        rcp_formula ok = rcp_formula_and(pool, arg[0].ok, rcp_formula_ite(pool, chosen, arg[1].ok, arg[2].ok));
        rcp_formula side = rcp_formula_ite(pool, arg[0].ok, rcp_formula_ite(pool, chosen, arg[1].bad, arg[2].bad),
                                           rcp_formula_or(pool, arg[1].bad, arg[2].bad));
        return (rcp_smt_value){apply(o, node, from, values), ok, rcp_formula_or(pool, arg[0].bad, side)};
    }
    size_t mark = pool->list.len;
    for (unsigned i = 0; i < arity; i++)
        rcp_formula_push(pool, arg[i].bad);
    rcp_formula trap = rcp_op_is_partial(node->op) ? traps(o, node, arg) : RCP_FALSE;
    rcp_formula_push(pool, trap);
    rcp_formula bad = rcp_formula_any(pool, mark);
    for (unsigned i = 0; i < arity; i++)
        rcp_formula_push(pool, arg[i].ok);
    rcp_formula_push(pool, rcp_formula_not(pool, trap));
    rcp_formula ok = rcp_formula_all(pool, mark);
    return (rcp_smt_value){apply(o, node, from, values), ok, bad};
}
