/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/model/term.h"

#include "base/map.h"

#include <stdlib.h>

static const rcp_op_traits traits[RCP_OPS] = {
    [RCP_OP_CONST] = {"const", RCP_SHAPE_LEAF, 0, 0},
    [RCP_OP_READ] = {"read", RCP_SHAPE_LEAF, 0, 0},
    [RCP_OP_ADD] = {"add", RCP_SHAPE_BINARY, 2, 0},
    [RCP_OP_SUB] = {"sub", RCP_SHAPE_BINARY, 2, 0},
    [RCP_OP_MUL] = {"mul", RCP_SHAPE_BINARY, 2, 0},
    [RCP_OP_UDIV] = {"udiv", RCP_SHAPE_BINARY, 2, 0},
    [RCP_OP_SDIV] = {"sdiv", RCP_SHAPE_BINARY, 2, 0},
    [RCP_OP_UREM] = {"urem", RCP_SHAPE_BINARY, 2, 0},
    [RCP_OP_SREM] = {"srem", RCP_SHAPE_BINARY, 2, 0},
    [RCP_OP_AND] = {"and", RCP_SHAPE_BINARY, 2, 0},
    [RCP_OP_OR] = {"or", RCP_SHAPE_BINARY, 2, 0},
    [RCP_OP_XOR] = {"xor", RCP_SHAPE_BINARY, 2, 0},
    [RCP_OP_SHL] = {"shl", RCP_SHAPE_BINARY, 2, 0},
    [RCP_OP_LSHR] = {"lshr", RCP_SHAPE_BINARY, 2, 0},
    [RCP_OP_ASHR] = {"ashr", RCP_SHAPE_BINARY, 2, 0},
    [RCP_OP_UMIN] = {"umin", RCP_SHAPE_BINARY, 2, 0},
    [RCP_OP_UMAX] = {"umax", RCP_SHAPE_BINARY, 2, 0},
    [RCP_OP_SMIN] = {"smin", RCP_SHAPE_BINARY, 2, 0},
    [RCP_OP_SMAX] = {"smax", RCP_SHAPE_BINARY, 2, 0},
    [RCP_OP_EQ] = {"eq", RCP_SHAPE_COMPARE, 2, 0},
    [RCP_OP_NE] = {"ne", RCP_SHAPE_COMPARE, 2, 0},
    [RCP_OP_ULT] = {"ult", RCP_SHAPE_COMPARE, 2, 0},
    [RCP_OP_ULE] = {"ule", RCP_SHAPE_COMPARE, 2, 0},
    [RCP_OP_SLT] = {"slt", RCP_SHAPE_COMPARE, 2, 0},
    [RCP_OP_SLE] = {"sle", RCP_SHAPE_COMPARE, 2, 0},
    [RCP_OP_CTPOP] = {"ctpop", RCP_SHAPE_UNARY, 1, 0},
    [RCP_OP_CTLZ] = {"ctlz", RCP_SHAPE_UNARY, 1, 0},
    [RCP_OP_CTTZ] = {"cttz", RCP_SHAPE_UNARY, 1, 0},
    [RCP_OP_BSWAP] = {"bswap", RCP_SHAPE_UNARY, 1, 0},
    [RCP_OP_BITREVERSE] = {"bitreverse", RCP_SHAPE_UNARY, 1, 0},
    [RCP_OP_ZEXT] = {"zext", RCP_SHAPE_CHANGE, 1, 0},
    [RCP_OP_SEXT] = {"sext", RCP_SHAPE_CHANGE, 1, 0},
    [RCP_OP_EXTRACT] = {"extract", RCP_SHAPE_EXTRACT, 1, 0},
    [RCP_OP_CONCAT] = {"concat", RCP_SHAPE_CONCAT, 2, 0},
    [RCP_OP_ITE] = {"ite", RCP_SHAPE_ITE, 3, 0},
    [RCP_OP_FADD] = {"fadd", RCP_SHAPE_BINARY, 2, 1},
    [RCP_OP_FSUB] = {"fsub", RCP_SHAPE_BINARY, 2, 1},
    [RCP_OP_FMUL] = {"fmul", RCP_SHAPE_BINARY, 2, 1},
    [RCP_OP_FDIV] = {"fdiv", RCP_SHAPE_BINARY, 2, 1},
    [RCP_OP_FREM] = {"frem", RCP_SHAPE_BINARY, 2, 1},
    [RCP_OP_FMIN] = {"fmin", RCP_SHAPE_BINARY, 2, 1},
    [RCP_OP_FMAX] = {"fmax", RCP_SHAPE_BINARY, 2, 1},
    [RCP_OP_FMA] = {"fma", RCP_SHAPE_TERNARY, 3, 1},
    [RCP_OP_FNEG] = {"fneg", RCP_SHAPE_UNARY, 1, 1},
    [RCP_OP_FABS] = {"fabs", RCP_SHAPE_UNARY, 1, 1},
    [RCP_OP_FSQRT] = {"fsqrt", RCP_SHAPE_UNARY, 1, 1},
    [RCP_OP_FFLOOR] = {"ffloor", RCP_SHAPE_UNARY, 1, 1},
    [RCP_OP_FCEIL] = {"fceil", RCP_SHAPE_UNARY, 1, 1},
    [RCP_OP_FTRUNC] = {"ftrunc", RCP_SHAPE_UNARY, 1, 1},
    [RCP_OP_FRINT] = {"frint", RCP_SHAPE_UNARY, 1, 1},
    [RCP_OP_FROUND] = {"fround", RCP_SHAPE_UNARY, 1, 1},
    [RCP_OP_FEQ] = {"feq", RCP_SHAPE_COMPARE, 2, 1},
    [RCP_OP_FLT] = {"flt", RCP_SHAPE_COMPARE, 2, 1},
    [RCP_OP_FLE] = {"fle", RCP_SHAPE_COMPARE, 2, 1},
    [RCP_OP_FUNO] = {"funo", RCP_SHAPE_COMPARE, 2, 1},
    [RCP_OP_FEXT] = {"fext", RCP_SHAPE_CHANGE, 1, 1},
    [RCP_OP_FCUT] = {"fcut", RCP_SHAPE_CHANGE, 1, 1},
    [RCP_OP_FTOU] = {"ftou", RCP_SHAPE_CHANGE, 1, 1},
    [RCP_OP_FTOS] = {"ftos", RCP_SHAPE_CHANGE, 1, 1},
    [RCP_OP_UTOF] = {"utof", RCP_SHAPE_CHANGE, 1, 0},
    [RCP_OP_STOF] = {"stof", RCP_SHAPE_CHANGE, 1, 0},
};

const rcp_op_traits *rcp_op_borrow_traits(rcp_op op) { return &traits[op]; }

void rcp_terms_init(rcp_terms *terms) { *terms = (rcp_terms){0}; }

void rcp_terms_finish(rcp_terms *terms) {
    rcp_vec_finish(&terms->nodes);
    rcp_term_table_finish(&terms->table);
    *terms = (rcp_terms){0};
}

/* Nodes that somebody else made are entered when a term is looked for: where two are equal, the first one is found. */
static void enter_appended(rcp_terms *terms) {
    for (; terms->entered < terms->nodes.len; terms->entered++)
        rcp_term_table_enter(&terms->table, terms->nodes.at, &terms->nodes.at[terms->entered],
                             (uint32_t)terms->entered + 1);
}

static rcp_term intern(rcp_terms *terms, rcp_term_node node) {
    if (terms->entered != terms->nodes.len)
        enter_appended(terms);
    uint32_t next = (uint32_t)terms->nodes.len + 1;
    uint32_t number = rcp_term_table_enter(&terms->table, terms->nodes.at, &node, next);
    if (number == next) {
        RCP_CHECK(terms->nodes.len < UINT32_MAX - RCP_TERM_FIRST - 1);
        rcp_vec_push(&terms->nodes, node);
        terms->entered = terms->nodes.len;
    }
    return (rcp_term){number - 1 + RCP_TERM_FIRST};
}

static unsigned width_of(const rcp_terms *terms, uint32_t argument) {
    return rcp_term_borrow(terms, (rcp_term){argument})->width;
}

static rcp_code bad(const char *op, const char *why) { return rcp_fail(RCP_BAD_INPUT, "term '%s': %s", op, why); }

/* The rules of widths and arguments, for every node of every origin. */
static rcp_code valid(const rcp_terms *terms, const rcp_term_node *node) {
    if (node->op >= RCP_OPS)
        return rcp_fail(RCP_BAD_INPUT, "no term has operator %u", node->op);
    const rcp_op_traits *op = &traits[node->op];
    if (node->width < 1 || node->width > 64)
        return rcp_fail(RCP_BAD_INPUT, "term '%s': a width of %u bits; 1 to 64 are possible", op->name, node->width);
    if (node->op == RCP_OP_CONST) {
        if (node->a || (node->width < 64 && node->word >> node->width))
            return bad(op->name, "the literal is wider than its width");
        return RCP_OK;
    }
    if (node->op == RCP_OP_READ)
        return node->width % 8 ? bad(op->name, "its width must be whole bytes") : RCP_OK;

    uint32_t arguments[3] = {node->a, node->b, node->c};
    unsigned widths[3] = {0};
    for (unsigned i = 0; i < 3; i++) {
        if (i >= op->arity) {
            if (arguments[i] && !(node->op == RCP_OP_EXTRACT && i == 1))
                return bad(op->name, "too many arguments");
            continue;
        }
        if (arguments[i] < RCP_TERM_FIRST || arguments[i] - RCP_TERM_FIRST >= terms->nodes.len)
            return rcp_fail(RCP_BAD_INPUT, "term '%s': argument %u does not exist yet", op->name, i + 1);
        widths[i] = width_of(terms, arguments[i]);
    }
    unsigned n = widths[0], w = node->width;
    if (op->is_float && n != 32 && n != 64)
        return bad(op->name, "a float has 32 or 64 bits");
    switch ((rcp_shape)op->shape) {
    case RCP_SHAPE_LEAF: break;
    case RCP_SHAPE_UNARY:
        if (w != n)
            return bad(op->name, "the result is as wide as the argument");
        if (node->op == RCP_OP_BSWAP && n % 16)
            return bad(op->name, "needs a multiple of 16 bits");
        break;
    case RCP_SHAPE_BINARY:
        if (widths[1] != n || w != n)
            return bad(op->name, "both arguments and the result must have one width");
        break;
    case RCP_SHAPE_TERNARY:
        if (widths[1] != n || widths[2] != n || w != n)
            return bad(op->name, "all arguments and the result must have one width");
        break;
    case RCP_SHAPE_COMPARE:
        if (widths[1] != n)
            return bad(op->name, "both arguments must have one width");
        if (w != 1)
            return bad(op->name, "the result has 1 bit");
        break;
    case RCP_SHAPE_CHANGE:
        if ((node->op == RCP_OP_ZEXT || node->op == RCP_OP_SEXT) && w <= n)
            return bad(op->name, "the result must be wider than the argument");
        if ((node->op == RCP_OP_FEXT && (n != 32 || w != 64)) || (node->op == RCP_OP_FCUT && (n != 64 || w != 32)))
            return bad(op->name, "goes between 32 and 64 bits");
        if ((node->op == RCP_OP_UTOF || node->op == RCP_OP_STOF) && w != 32 && w != 64)
            return bad(op->name, "a float has 32 or 64 bits");
        break;
    case RCP_SHAPE_EXTRACT:
        if (node->b >= n || w > n - node->b)
            return bad(op->name, "reaches past the argument");
        break;
    case RCP_SHAPE_CONCAT:
        if (w != n + widths[1])
            return bad(op->name, "the result is as wide as both arguments together, at most 64 bits");
        break;
    case RCP_SHAPE_ITE:
        if (n != 1 || widths[1] != widths[2] || w != widths[1])
            return bad(op->name, "needs a 1-bit condition and two sides of one width");
        break;
    }
    return RCP_OK;
}

static rcp_code enter(const rcp_terms *terms, const rcp_term_node *node) {
    RCP_TRY(valid(terms, node));
    if (terms->nodes.len >= UINT32_MAX - RCP_TERM_FIRST - 1)
        return rcp_fail(RCP_LIMIT, "more than %zu terms", terms->nodes.len);
    return RCP_OK;
}

/* Who only reads a pool never asks for a term by its contents: the table, whose every look-up is a cache miss, is made
 * when somebody does. */
rcp_code rcp_terms_append(rcp_terms *terms, rcp_term_node node) {
    RCP_TRY(enter(terms, &node));
    rcp_vec_push(&terms->nodes, node);
    return RCP_OK;
}

rcp_code rcp_terms_intern(rcp_terms *terms, rcp_term_node node, rcp_term *term) {
    RCP_TRY(enter(terms, &node));
    *term = intern(terms, node);
    return RCP_OK;
}

static rcp_term checked(rcp_terms *terms, rcp_term_node node) {
    RCP_DCHECK(valid(terms, &node) == RCP_OK);
    return intern(terms, node);
}

rcp_term rcp_term_const(rcp_terms *terms, unsigned width, uint64_t value) {
    RCP_CHECK(width >= 1 && width <= 64);
    uint64_t cut = width < 64 ? value & ((UINT64_C(1) << width) - 1) : value;
    return checked(terms, (rcp_term_node){.op = RCP_OP_CONST, .width = (uint8_t)width, .word = cut});
}

rcp_term rcp_term_read(rcp_terms *terms, rcp_eid read, uint32_t offset, unsigned width) {
    return checked(terms, (rcp_term_node){.op = RCP_OP_READ, .width = (uint8_t)width, .a = offset, .word = read.v});
}

static unsigned result_width(const rcp_terms *terms, rcp_op op, unsigned stated, rcp_term a, rcp_term b) {
    switch ((rcp_shape)traits[op].shape) {
    case RCP_SHAPE_COMPARE: return 1;
    case RCP_SHAPE_CHANGE:
    case RCP_SHAPE_EXTRACT:
    case RCP_SHAPE_LEAF: return stated;
    case RCP_SHAPE_CONCAT: return width_of(terms, a.v) + width_of(terms, b.v);
    case RCP_SHAPE_ITE: return width_of(terms, b.v);
    default: return width_of(terms, a.v);
    }
}

static rcp_term build(rcp_terms *terms, rcp_op op, unsigned width, rcp_term a, rcp_term b, rcp_term c) {
    RCP_CHECK(op > RCP_OP_READ && op < RCP_OPS);
    unsigned arity = traits[op].arity;
    rcp_term_node node = {.op = (uint8_t)op, .a = a.v};
    node.b = arity > 1 || op == RCP_OP_EXTRACT ? b.v : 0;
    node.c = arity > 2 ? c.v : 0;
    node.width = (uint8_t)result_width(terms, op, width, a, b);
    rcp_term arguments[3] = {a, b, c};
    uint64_t literals[3] = {0};
    if (op == RCP_OP_EXTRACT)
        literals[1] = b.v;
    for (unsigned i = 0; i < arity; i++) {
        const rcp_term_node *argument = rcp_term_borrow(terms, arguments[i]);
        if (argument->op != RCP_OP_CONST)
            return checked(terms, node);
        literals[i] = argument->word;
    }
    uint64_t value;
    RCP_DCHECK(valid(terms, &node) == RCP_OK);
    if (rcp_op_apply(op, node.width, width_of(terms, a.v), literals[0], literals[1], literals[2], &value))
        return checked(terms, node);
    return rcp_term_const(terms, node.width, value);
}

rcp_term rcp_term_make(rcp_terms *terms, rcp_op op, unsigned width, rcp_term a, rcp_term b, rcp_term c) {
    RCP_CHECK(op != RCP_OP_EXTRACT);
    return build(terms, op, width, a, b, c);
}

rcp_term rcp_term_extract(rcp_terms *terms, rcp_term from, unsigned low, unsigned width) {
    return build(terms, RCP_OP_EXTRACT, width, from, (rcp_term){low}, (rcp_term){0});
}

static int by_number(const void *x, const void *y) {
    uint64_t a = ((const rcp_eid *)x)->v, b = ((const rcp_eid *)y)->v;
    return (a > b) - (a < b);
}

void rcp_term_reads(const rcp_terms *terms, rcp_term term, rcp_eids *reads) {
    if (!rcp_term_is_real(term))
        return;
    size_t start = reads->len;
    rcp_map seen;
    rcp_map_init(&seen);
    RCP_VEC(uint32_t) todo = {0};
    rcp_vec_push(&todo, term.v);
    while (todo.len) {
        uint32_t at = todo.at[--todo.len];
        uint32_t *mark = rcp_map_at(&seen, at);
        if (*mark != RCP_MAP_NONE)
            continue;
        *mark = 1;
        const rcp_term_node *node = rcp_term_borrow(terms, (rcp_term){at});
        if (node->op == RCP_OP_READ)
            rcp_vec_push(reads, (rcp_eid){node->word});
        uint32_t arguments[3] = {node->a, node->b, node->c};
        for (unsigned i = 0; i < traits[node->op].arity; i++)
            rcp_vec_push(&todo, arguments[i]);
    }
    rcp_map_finish(&seen);
    rcp_vec_finish(&todo);
    if (reads->len == start)
        return;
    qsort(reads->at + start, reads->len - start, sizeof *reads->at, by_number);
    size_t kept = start + 1;
    for (size_t i = start + 1; i < reads->len; i++)
        if (reads->at[i].v != reads->at[kept - 1].v)
            reads->at[kept++] = reads->at[i];
    reads->len = kept;
}
