/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/model/term.h"

#include <math.h>
#include <string.h>

static uint64_t mask(unsigned width) { return width < 64 ? (UINT64_C(1) << width) - 1 : UINT64_MAX; }

static int64_t sign(uint64_t x, unsigned width) {
    unsigned spare = 64 - width;
    return (int64_t)(x << spare) >> spare;
}

static double as_float(uint64_t bits, unsigned width) {
    if (width == 64) {
        double d;
        memcpy(&d, &bits, sizeof d);
        return d;
    }
    uint32_t half = (uint32_t)bits;
    float f;
    memcpy(&f, &half, sizeof f);
    return f;
}

static uint64_t bits_of_double(double d) {
    uint64_t bits;
    memcpy(&bits, &d, sizeof bits);
    return bits;
}

static uint64_t bits_of_float(float f) {
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    return bits;
}

/* For operations whose double result, rounded once more, is the float result: + - * / and sqrt (double has more than
 * twice a float's digits), and everything that is exact. */
static uint64_t rounded(double d, unsigned width) { return width == 64 ? bits_of_double(d) : bits_of_float((float)d); }

/* fmin and fmax leave the sign of a zero open: settle it, so that both architectures agree. */
static double least(double x, double y) {
    if (x == y)
        return signbit(x) ? x : y;
    return fmin(x, y);
}

static double greatest(double x, double y) {
    if (x == y)
        return signbit(x) ? y : x;
    return fmax(x, y);
}

static rcp_eval divide(rcp_op op, unsigned width, uint64_t a, uint64_t b, uint64_t *value) {
    if (!b)
        return RCP_EVAL_UNDEFINED;
    int64_t x = sign(a, width), y = sign(b, width);
    bool overflows = y == -1 && a == UINT64_C(1) << (width - 1);
    switch (op) {
    case RCP_OP_UDIV: *value = a / b; return RCP_EVAL_OK;
    case RCP_OP_UREM: *value = a % b; return RCP_EVAL_OK;
    case RCP_OP_SDIV:
        if (overflows)
            return RCP_EVAL_UNDEFINED;
        *value = (uint64_t)(x / y);
        return RCP_EVAL_OK;
    default:
        if (overflows)
            return RCP_EVAL_UNDEFINED;
        *value = (uint64_t)(x % y);
        return RCP_EVAL_OK;
    }
}

static uint64_t reverse_bits(uint64_t x, unsigned width) {
    uint64_t result = 0;
    for (unsigned i = 0; i < width; i++)
        result |= (x >> i & 1) << (width - 1 - i);
    return result;
}

static uint64_t swap_bytes(uint64_t x, unsigned width) { return __builtin_bswap64(x) >> (64 - width); }

static uint64_t to_unsigned(double d, unsigned width) {
    if (!(d > 0))
        return 0;
    return d >= ldexp(1, (int)width) ? mask(width) : (uint64_t)d;
}

static uint64_t to_signed(double d, unsigned width) {
    double limit = ldexp(1, (int)width - 1);
    if (isnan(d))
        return 0;
    if (d >= limit)
        return mask(width) >> 1;
    return d < -limit ? UINT64_C(1) << (width - 1) : (uint64_t)(int64_t)d;
}

/* The whole arithmetic. A result wider than `width` is cut by the caller. */
static rcp_eval apply(rcp_op op, unsigned width, unsigned from, uint64_t a, uint64_t b, uint64_t c, uint64_t *value) {
    double x = rcp_op_borrow_traits(op)->is_float ? as_float(a, from) : 0;
    double y = rcp_op_borrow_traits(op)->is_float && rcp_op_borrow_traits(op)->arity > 1 ? as_float(b, from) : 0;
    switch (op) {
    case RCP_OP_ADD: *value = a + b; break;
    case RCP_OP_SUB: *value = a - b; break;
    case RCP_OP_MUL: *value = a * b; break;
    case RCP_OP_UDIV:
    case RCP_OP_SDIV:
    case RCP_OP_UREM:
    case RCP_OP_SREM: return divide(op, width, a, b, value);
    case RCP_OP_AND: *value = a & b; break;
    case RCP_OP_OR: *value = a | b; break;
    case RCP_OP_XOR: *value = a ^ b; break;
    case RCP_OP_SHL:
    case RCP_OP_LSHR:
    case RCP_OP_ASHR:
        if (b >= width)
            return RCP_EVAL_UNDEFINED;
        *value = op == RCP_OP_SHL ? a << b : op == RCP_OP_LSHR ? a >> b : (uint64_t)(sign(a, width) >> b);
        break;
    case RCP_OP_UMIN: *value = a < b ? a : b; break;
    case RCP_OP_UMAX: *value = a > b ? a : b; break;
    case RCP_OP_SMIN: *value = sign(a, width) < sign(b, width) ? a : b; break;
    case RCP_OP_SMAX: *value = sign(a, width) > sign(b, width) ? a : b; break;
    case RCP_OP_EQ: *value = a == b; break;
    case RCP_OP_NE: *value = a != b; break;
    case RCP_OP_ULT: *value = a < b; break;
    case RCP_OP_ULE: *value = a <= b; break;
    case RCP_OP_SLT: *value = sign(a, from) < sign(b, from); break;
    case RCP_OP_SLE: *value = sign(a, from) <= sign(b, from); break;
    case RCP_OP_CTPOP: *value = (uint64_t)__builtin_popcountll(a); break;
    case RCP_OP_CTLZ: *value = a ? (uint64_t)__builtin_clzll(a) - (64 - width) : width; break;
    case RCP_OP_CTTZ: *value = a ? (uint64_t)__builtin_ctzll(a) : width; break;
    case RCP_OP_BSWAP: *value = swap_bytes(a, width); break;
    case RCP_OP_BITREVERSE: *value = reverse_bits(a, width); break;
    case RCP_OP_ZEXT: *value = a; break;
    case RCP_OP_SEXT: *value = (uint64_t)sign(a, from); break;
    case RCP_OP_EXTRACT: *value = a >> b; break;
    case RCP_OP_CONCAT: *value = a << (width - from) | b; break;
    case RCP_OP_ITE: *value = a ? b : c; break;
    case RCP_OP_FADD: *value = rounded(x + y, width); break;
    case RCP_OP_FSUB: *value = rounded(x - y, width); break;
    case RCP_OP_FMUL: *value = rounded(x * y, width); break;
    case RCP_OP_FDIV: *value = rounded(x / y, width); break;
    case RCP_OP_FREM: *value = rounded(fmod(x, y), width); break;
    case RCP_OP_FMIN: *value = rounded(least(x, y), width); break;
    case RCP_OP_FMAX: *value = rounded(greatest(x, y), width); break;
    case RCP_OP_FMA:
        *value = width == 64 ? bits_of_double(fma(x, y, as_float(c, 64)))
                             : bits_of_float(fmaf((float)x, (float)y, (float)as_float(c, 32)));
        break;
    case RCP_OP_FNEG: *value = a ^ UINT64_C(1) << (width - 1); break;
    case RCP_OP_FABS: *value = a & mask(width - 1); break;
    case RCP_OP_FSQRT: *value = rounded(sqrt(x), width); break;
    case RCP_OP_FFLOOR: *value = rounded(floor(x), width); break;
    case RCP_OP_FCEIL: *value = rounded(ceil(x), width); break;
    case RCP_OP_FTRUNC: *value = rounded(trunc(x), width); break;
    case RCP_OP_FRINT: *value = rounded(rint(x), width); break;
    case RCP_OP_FROUND: *value = rounded(round(x), width); break;
    case RCP_OP_FEQ: *value = x == y; break;
    case RCP_OP_FLT: *value = x < y; break;
    case RCP_OP_FLE: *value = x <= y; break;
    case RCP_OP_FUNO: *value = isnan(x) || isnan(y); break;
    case RCP_OP_FEXT:
    case RCP_OP_FCUT: *value = rounded(x, width); break;
    case RCP_OP_FTOU: *value = to_unsigned(x, width); break;
    case RCP_OP_FTOS: *value = to_signed(x, width); break;
    case RCP_OP_UTOF: *value = width == 64 ? bits_of_double((double)a) : bits_of_float((float)a); break;
    case RCP_OP_STOF: {
        int64_t s = sign(a, from);
        *value = width == 64 ? bits_of_double((double)s) : bits_of_float((float)s);
        break;
    }
    default: RCP_CHECK(!"an operator without a meaning");
    }
    return RCP_EVAL_OK;
}

rcp_eval rcp_op_apply(rcp_op op, unsigned width, unsigned from, uint64_t a, uint64_t b, uint64_t c, uint64_t *value) {
    rcp_eval how = apply(op, width, from, a, b, c, value);
    if (how == RCP_EVAL_OK)
        *value &= mask(width);
    return how;
}

void rcp_evaluator_init(rcp_evaluator *evaluator, const rcp_terms *terms, rcp_lookup *lookup, void *context) {
    *evaluator = (rcp_evaluator){.terms = terms, .lookup = lookup, .context = context, .now = 1};
}

void rcp_evaluator_finish(rcp_evaluator *evaluator) {
    rcp_release(evaluator->values);
    rcp_release(evaluator->stamps);
    rcp_vec_finish(&evaluator->todo);
    *evaluator = (rcp_evaluator){0};
}

void rcp_evaluator_forget(rcp_evaluator *evaluator) {
    if (++evaluator->now < UINT32_MAX / 4)
        return;
    memset(evaluator->stamps, 0, evaluator->room * sizeof *evaluator->stamps);
    evaluator->now = 1;
}

static bool known(const rcp_evaluator *evaluator, uint32_t term, rcp_eval *how, uint64_t *value) {
    uint32_t i = term - RCP_TERM_FIRST;
    if (evaluator->stamps[i] / 4 != evaluator->now)
        return false;
    *how = (rcp_eval)(evaluator->stamps[i] % 4);
    *value = evaluator->values[i];
    return true;
}

static void learn(rcp_evaluator *evaluator, uint32_t term, rcp_eval how, uint64_t value) {
    evaluator->stamps[term - RCP_TERM_FIRST] = evaluator->now * 4 + (uint32_t)how;
    evaluator->values[term - RCP_TERM_FIRST] = value;
}

/* A partial operation with an unknown operand: its second one, where known, may settle that it has a value or none. */
static rcp_eval in_doubt(rcp_op op, unsigned width, rcp_eval second, uint64_t b) {
    if (second != RCP_EVAL_OK)
        return RCP_EVAL_DOUBTFUL;
    if (op == RCP_OP_SHL || op == RCP_OP_LSHR || op == RCP_OP_ASHR)
        return b < width ? RCP_EVAL_UNKNOWN : RCP_EVAL_UNDEFINED;
    bool overflows = (op == RCP_OP_SDIV || op == RCP_OP_SREM) && b == mask(width);
    return !b ? RCP_EVAL_UNDEFINED : overflows ? RCP_EVAL_DOUBTFUL : RCP_EVAL_UNKNOWN;
}

/* Settles the term if its arguments are settled; otherwise puts those on the list first. */
static void visit(rcp_evaluator *evaluator, uint32_t term) {
    const rcp_term_node *node = rcp_term_borrow(evaluator->terms, (rcp_term){term});
    uint64_t value = 0, arguments[3] = {0};
    rcp_eval how = RCP_EVAL_OK, part[3] = {RCP_EVAL_OK, RCP_EVAL_OK, RCP_EVAL_OK};
    if (node->op == RCP_OP_CONST) {
        value = node->word;
    } else if (node->op > RCP_OP_READ && evaluator->shortcut &&
               evaluator->shortcut(evaluator->context, term - RCP_TERM_FIRST, &value)) {
        how = RCP_EVAL_OK;
    } else if (node->op == RCP_OP_READ) {
        how = evaluator->lookup(evaluator->context, (rcp_eid){node->word}, node->a, node->width / 8u, &value);
        value &= mask(node->width);
    } else {
        const uint32_t ids[3] = {node->a, node->b, node->c};
        unsigned arity = rcp_op_borrow_traits(node->op)->arity;
        if (node->op == RCP_OP_EXTRACT)
            arguments[1] = node->b;
        bool chooses = node->op == RCP_OP_ITE;
        for (unsigned i = 0; i < arity; i++) {
            if (chooses && i && part[0] == RCP_EVAL_OK && (i == 1) != (arguments[0] == 1))
                continue; /* the side not chosen need have no value */
            if (!known(evaluator, ids[i], &part[i], &arguments[i])) {
                rcp_vec_push(&evaluator->todo, ids[i]);
                return;
            }
            if (chooses && i && part[0] != RCP_EVAL_OK && part[i] == RCP_EVAL_UNDEFINED)
                part[i] = RCP_EVAL_DOUBTFUL; /* it may be the side not chosen */
            /* 'undefined' beats 'unknown': the trap is there whatever the unknown turns out to be */
            if (part[i] > how)
                how = part[i];
        }
        if (rcp_op_is_partial(node->op) && how == RCP_EVAL_UNKNOWN)
            how = in_doubt(node->op, node->width, part[1], arguments[1]);
        if (how == RCP_EVAL_OK) {
            unsigned from = rcp_term_borrow(evaluator->terms, (rcp_term){node->a})->width;
            how = rcp_op_apply(node->op, node->width, from, arguments[0], arguments[1], arguments[2], &value);
        }
    }
    learn(evaluator, term, how, value);
    evaluator->todo.len--;
}

rcp_eval rcp_evaluator_run(rcp_evaluator *evaluator, rcp_term term, uint64_t *value) {
    size_t count = rcp_terms_count(evaluator->terms);
    if (evaluator->room < count) {
        size_t room = evaluator->room, values = evaluator->room;
        evaluator->values = rcp_grow(evaluator->values, &values, count, sizeof *evaluator->values);
        evaluator->stamps = rcp_grow(evaluator->stamps, &room, count, sizeof *evaluator->stamps);
        memset(evaluator->stamps + evaluator->room, 0, (room - evaluator->room) * sizeof *evaluator->stamps);
        evaluator->room = room;
    }
    rcp_eval how;
    if (known(evaluator, term.v, &how, value))
        return how;
    rcp_vec_push(&evaluator->todo, term.v);
    while (evaluator->todo.len)
        visit(evaluator, evaluator->todo.at[evaluator->todo.len - 1]);
    RCP_CHECK(known(evaluator, term.v, &how, value));
    return how;
}
