/* SPDX-License-Identifier: Apache-2.0 */
/* Terms as bit-vectors: trace/term_eval.c's arithmetic in SMT-LIB's words, 'unknown' and 'has no value' included. */
#include "predict/smt_state.h"

#include "predict/smt_float.h"

#include <stdio.h>

static rcp_formula bits(rcp_smt *s, unsigned width, uint64_t word) {
    return rcp_formula_literal(&s->pool, width, word);
}

static rcp_formula extract(rcp_smt *s, rcp_formula from, unsigned low, unsigned width) {
    const rcp_formula_node *node = rcp_formula_borrow(&s->pool, from);
    if (!low && width == node->sort)
        return from;
    if (node->op == RCP_F_LITERAL)
        return bits(s, width, node->word >> low);
    char name[32];
    snprintf(name, sizeof name, "(_ extract %u %u)", low + width - 1, low);
    return rcp_formula_apply1(&s->pool, width, name, from);
}

static rcp_formula concat(rcp_smt *s, rcp_formula upper, rcp_formula lower) {
    const rcp_formula_node *u = rcp_formula_borrow(&s->pool, upper), *l = rcp_formula_borrow(&s->pool, lower);
    unsigned width = u->sort + l->sort;
    if (u->op == RCP_F_LITERAL && l->op == RCP_F_LITERAL)
        return bits(s, width, u->word << l->sort | l->word);
    return rcp_formula_apply2(&s->pool, width, "concat", upper, lower);
}

rcp_formula rcp_smt_bytes(rcp_smt *s, rcp_formula value, unsigned from, unsigned n) {
    return extract(s, value, 8 * from, 8 * n);
}

static rcp_formula extend(rcp_smt *s, rcp_formula a, unsigned width, bool sign) {
    unsigned from = rcp_formula_borrow(&s->pool, a)->sort;
    if (from == width)
        return a;
    char name[32];
    snprintf(name, sizeof name, "(_ %s_extend %u)", sign ? "sign" : "zero", width - from);
    return rcp_formula_apply1(&s->pool, width, name, a);
}

/* A truth as a bit, and a bit as a truth. */
rcp_formula rcp_smt_bit(rcp_smt *s, rcp_formula truth) {
    return rcp_formula_ite(&s->pool, truth, bits(s, 1, 1), bits(s, 1, 0));
}

static rcp_formula truth(rcp_smt *s, rcp_formula a) { return rcp_formula_equal(&s->pool, a, bits(s, 1, 1)); }

static rcp_formula compare(rcp_smt *s, const char *how, rcp_formula a, rcp_formula b) {
    return rcp_formula_apply2(&s->pool, RCP_SORT_BOOL, how, a, b);
}

static rcp_formula count_ones(rcp_smt *s, rcp_formula a, unsigned width) {
    rcp_formula sum = bits(s, width, 0);
    for (unsigned i = 0; i < width; i++)
        sum = rcp_formula_apply2(&s->pool, width, "bvadd", sum, extend(s, extract(s, a, i, 1), width, false));
    return sum;
}

/* The number of zeros from the top, or from the bottom. */
static rcp_formula count_zeros(rcp_smt *s, rcp_formula a, unsigned width, bool top) {
    rcp_formula result = bits(s, width, width);
    for (unsigned i = 0; i < width; i++) { /* the one that is asked first is built last */
        unsigned at = top ? i : width - 1 - i;
        result = rcp_formula_ite(&s->pool, truth(s, extract(s, a, at, 1)), bits(s, width, top ? width - 1 - at : at),
                                 result);
    }
    return result;
}

static rcp_formula reverse(rcp_smt *s, rcp_formula a, unsigned width, unsigned unit) {
    rcp_formula result = extract(s, a, 0, unit);
    for (unsigned i = unit; i < width; i += unit)
        result = concat(s, result, extract(s, a, i, unit));
    return result;
}

static rcp_formula smaller(rcp_smt *s, const char *how, rcp_formula a, rcp_formula b, bool least) {
    return least ? rcp_formula_ite(&s->pool, compare(s, how, a, b), a, b)
                 : rcp_formula_ite(&s->pool, compare(s, how, b, a), a, b);
}

/* The operator where all arguments have values and it has one. */
static rcp_formula apply(rcp_smt *s, const rcp_term_node *node, unsigned from, const rcp_formula arg[3]) {
    static const char *const plain[] = {
        [RCP_OP_ADD] = "bvadd",   [RCP_OP_SUB] = "bvsub",   [RCP_OP_MUL] = "bvmul",   [RCP_OP_UDIV] = "bvudiv",
        [RCP_OP_SDIV] = "bvsdiv", [RCP_OP_UREM] = "bvurem", [RCP_OP_SREM] = "bvsrem", [RCP_OP_AND] = "bvand",
        [RCP_OP_OR] = "bvor",     [RCP_OP_XOR] = "bvxor",   [RCP_OP_SHL] = "bvshl",   [RCP_OP_LSHR] = "bvlshr",
        [RCP_OP_ASHR] = "bvashr",
    };
    rcp_formulas *pool = &s->pool;
    rcp_formula a = arg[0], b = arg[1];
    unsigned width = node->width;
    if (rcp_op_borrow_traits(node->op)->is_float || node->op == RCP_OP_UTOF || node->op == RCP_OP_STOF)
        return rcp_smt_float(s, node, from, arg);
    switch ((rcp_op)node->op) {
    case RCP_OP_UMIN: return smaller(s, "bvult", a, b, true);
    case RCP_OP_UMAX: return smaller(s, "bvult", a, b, false);
    case RCP_OP_SMIN: return smaller(s, "bvslt", a, b, true);
    case RCP_OP_SMAX: return smaller(s, "bvslt", a, b, false);
    case RCP_OP_EQ: return rcp_smt_bit(s, rcp_formula_equal(pool, a, b));
    case RCP_OP_NE: return rcp_smt_bit(s, rcp_formula_not(pool, rcp_formula_equal(pool, a, b)));
    case RCP_OP_ULT: return rcp_smt_bit(s, compare(s, "bvult", a, b));
    case RCP_OP_ULE: return rcp_smt_bit(s, compare(s, "bvule", a, b));
    case RCP_OP_SLT: return rcp_smt_bit(s, compare(s, "bvslt", a, b));
    case RCP_OP_SLE: return rcp_smt_bit(s, compare(s, "bvsle", a, b));
    case RCP_OP_CTPOP: return count_ones(s, a, width);
    case RCP_OP_CTLZ: return count_zeros(s, a, width, true);
    case RCP_OP_CTTZ: return count_zeros(s, a, width, false);
    case RCP_OP_BSWAP: return reverse(s, a, width, 8);
    case RCP_OP_BITREVERSE: return reverse(s, a, width, 1);
    case RCP_OP_ZEXT: return extend(s, a, width, false);
    case RCP_OP_SEXT: return extend(s, a, width, true);
    case RCP_OP_EXTRACT: return extract(s, a, node->b, width);
    case RCP_OP_CONCAT: return concat(s, a, b);
    case RCP_OP_ITE: return rcp_formula_ite(pool, truth(s, a), b, arg[2]);
    default:
        RCP_CHECK(node->op < sizeof plain / sizeof *plain && plain[node->op]);
        return rcp_formula_apply2(pool, width, plain[node->op], a, b);
    }
}

/* A partial operator has no value, or perhaps none: its second operand is unknown, or is a bad one. */
static rcp_formula traps(rcp_smt *s, const rcp_term_node *node, const rcp_smt_value arg[3]) {
    rcp_formulas *pool = &s->pool;
    unsigned width = node->width;
    rcp_formula a = arg[0].value, b = arg[1].value, bad;
    if (node->op == RCP_OP_SHL || node->op == RCP_OP_LSHR || node->op == RCP_OP_ASHR) {
        bad = rcp_formula_not(pool, compare(s, "bvult", b, bits(s, width, width)));
    } else {
        bad = rcp_formula_equal(pool, b, bits(s, width, 0));
        if (node->op == RCP_OP_SDIV || node->op == RCP_OP_SREM) {
            rcp_formula least = rcp_formula_equal(pool, a, bits(s, width, UINT64_C(1) << (width - 1)));
            rcp_formula maybe = rcp_formula_or(pool, rcp_formula_not(pool, arg[0].ok), least);
            bad = rcp_formula_or(pool, bad,
                                 rcp_formula_and(pool, rcp_formula_equal(pool, b, bits(s, width, UINT64_MAX)), maybe));
        }
    }
    return rcp_formula_or(pool, rcp_formula_not(pool, arg[1].ok), bad);
}

/* What the read took, as the evaluator of `eid` sees it at the moment `at`. */
static rcp_smt_value leaf(rcp_smt *s, uint64_t eid, uint64_t at, const rcp_term_node *node, bool own) {
    rcp_formulas *pool = &s->pool;
    const rcp_smt_read *read = rcp_smt_find_read(s, node->word);
    unsigned bytes = node->width / 8;
    const rcp_smt_value unknown = {bits(s, node->width, 0), RCP_FALSE, RCP_FALSE};
    if (!read)
        return unknown;
    const rcp_event *e = rcp_smt_event(s, read->eid);
    if (node->a > e->size || bytes > e->size - node->a)
        return unknown;
    rcp_formula value = RCP_FALSE;
    size_t mark = pool->list.len;
    rcp_formula_push(pool, own && read->eid == eid ? RCP_TRUE : rcp_smt_before(s, read->eid, at));
    bool some = false;
    for (size_t i = 0; i < read->n_pieces; i++) {
        const rcp_smt_piece *piece = &s->pieces.at[read->pieces + i];
        uint32_t from = piece->offset > node->a ? piece->offset : node->a;
        uint32_t to = piece->offset + piece->n < node->a + bytes ? piece->offset + piece->n : node->a + bytes;
        if (from >= to)
            continue;
        rcp_formula part = extract(s, piece->value, 8 * (from - piece->offset), 8 * (to - from));
        value = some ? concat(s, part, value) : part;
        some = true;
        rcp_formula_push(pool, piece->known);
    }
    return (rcp_smt_value){value, rcp_formula_all(pool, mark), RCP_FALSE};
}

static rcp_smt_value combine(rcp_smt *s, const rcp_term_node *node, unsigned from, const rcp_smt_value arg[3],
                             unsigned arity) {
    rcp_formulas *pool = &s->pool;
    rcp_formula values[3] = {arg[0].value, arg[1].value, arg[2].value};
    if (node->op == RCP_OP_ITE) { /* the side that is not chosen need have no value */
        rcp_formula chosen = truth(s, arg[0].value);
        rcp_formula ok = rcp_formula_and(pool, arg[0].ok, rcp_formula_ite(pool, chosen, arg[1].ok, arg[2].ok));
        rcp_formula side = rcp_formula_ite(pool, arg[0].ok, rcp_formula_ite(pool, chosen, arg[1].bad, arg[2].bad),
                                           rcp_formula_or(pool, arg[1].bad, arg[2].bad));
        return (rcp_smt_value){apply(s, node, from, values), ok, rcp_formula_or(pool, arg[0].bad, side)};
    }
    size_t mark = pool->list.len;
    for (unsigned i = 0; i < arity; i++)
        rcp_formula_push(pool, arg[i].bad);
    rcp_formula trap = rcp_op_is_partial(node->op) ? traps(s, node, arg) : RCP_FALSE;
    rcp_formula_push(pool, trap);
    rcp_formula bad = rcp_formula_any(pool, mark);
    for (unsigned i = 0; i < arity; i++)
        rcp_formula_push(pool, arg[i].ok);
    rcp_formula_push(pool, rcp_formula_not(pool, trap));
    rcp_formula ok = rcp_formula_all(pool, mark);
    return (rcp_smt_value){apply(s, node, from, values), ok, bad};
}

/* Whom the memo of a subterm serves: everybody where all its reads are earlier ones of the evaluator's own thread. */
static uint64_t user(const rcp_smt *s, uint64_t eid, uint64_t at, uint32_t term, bool own) {
    const rcp_smt_term_facts *facts = &s->facts->terms[term - RCP_TERM_FIRST];
    bool clean = facts->tid == RCP_SMT_NOBODY ||
                 (facts->tid == rcp_smt_event(s, eid)->tid.v && facts->last < s->trace->position[eid]);
    if (clean)
        return 1;
    return (eid << 2 | (uint64_t)own << 1 | (at == RCP_AT_RACE)) + 2;
}

rcp_smt_value rcp_smt_term(rcp_smt *s, uint64_t eid, uint64_t at, rcp_term term, bool own) {
    const rcp_terms *terms = &s->trace->terms;
    size_t base = s->todo.len;
    rcp_vec_push(&s->todo, term.v);
    while (s->todo.len > base) {
        uint32_t id = s->todo.at[s->todo.len - 1];
        rcp_smt_memo *memo = &s->memo[id - RCP_TERM_FIRST];
        uint64_t serves = user(s, eid, at, id, own);
        const rcp_term_node *node = rcp_term_borrow(terms, (rcp_term){id});
        if (memo->evaluator == serves) {
            s->todo.len--;
            continue;
        }
        const uint32_t ids[3] = {node->a, node->b, node->c};
        unsigned arity = rcp_op_borrow_traits(node->op)->arity;
        rcp_smt_value arg[3] = {0};
        bool ready = true;
        for (unsigned i = 0; node->op > RCP_OP_READ && i < arity; i++) {
            const rcp_smt_memo *below = &s->memo[ids[i] - RCP_TERM_FIRST];
            if (below->evaluator != user(s, eid, at, ids[i], own)) {
                rcp_vec_push(&s->todo, ids[i]);
                ready = false;
            }
            arg[i] = below->value;
        }
        if (!ready)
            continue;
        if (node->op == RCP_OP_CONST)
            memo->value = (rcp_smt_value){bits(s, node->width, node->word), RCP_TRUE, RCP_FALSE};
        else if (node->op == RCP_OP_READ)
            memo->value = leaf(s, eid, at, node, own);
        else
            memo->value = combine(s, node, rcp_term_borrow(terms, (rcp_term){node->a})->width, arg, arity);
        memo->evaluator = serves;
        s->todo.len--;
    }
    return s->memo[term.v - RCP_TERM_FIRST].value;
}
