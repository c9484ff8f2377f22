/* SPDX-License-Identifier: Apache-2.0 */
/* Terms: what a value depends on. A term is an expression over read symbols R(event). Written values, branch conditions
 * and addresses carry one; whatever depends on no shared read is folded to its recorded constant (RCP_TERM_CONST on the
 * event). In seed 000's words this is the symbolic trace.
 *
 * Bit-vectors of 1 to 64 bits with the operators of C as LLVM has them, and IEEE floats of 32 and 64 bits as
 * bit-vectors of that width. Terms are hash-consed: equal terms have equal ids, so a pool is a DAG, and an argument's
 * id is always smaller than its user's. A division by zero, an overflowing signed division and an oversized shift have
 * no value (RCP_EVAL_UNDEFINED): an execution that gets there is no witness.
 *
 * Ids 0 and 1 are RCP_TERM_CONST and RCP_TERM_ALL (trace/model/event.h); real terms begin at RCP_TERM_FIRST.
 * The pool owns its nodes; an rcp_evaluator borrows the pool.
 */
#ifndef RECIPE_TRACE_MODEL_TERM_H
#define RECIPE_TRACE_MODEL_TERM_H

#include "base/status.h"
#include "base/vec.h"
#include "trace/model/event.h"
#include "trace/model/term_table.h"

#define RCP_TERM_FIRST 2

/* clang-format off */
typedef enum rcp_op {
    RCP_OP_CONST, /* a literal */
    RCP_OP_READ,  /* the bytes [offset, offset + width/8) that a read event read */
    /* bit-vectors: both arguments and the result have one width */
    RCP_OP_ADD, RCP_OP_SUB, RCP_OP_MUL, RCP_OP_UDIV, RCP_OP_SDIV, RCP_OP_UREM, RCP_OP_SREM,
    RCP_OP_AND, RCP_OP_OR, RCP_OP_XOR, RCP_OP_SHL, RCP_OP_LSHR, RCP_OP_ASHR,
    RCP_OP_UMIN, RCP_OP_UMAX, RCP_OP_SMIN, RCP_OP_SMAX,
    /* comparisons: the result has 1 bit */
    RCP_OP_EQ, RCP_OP_NE, RCP_OP_ULT, RCP_OP_ULE, RCP_OP_SLT, RCP_OP_SLE,
    /* one argument, same width */
    RCP_OP_CTPOP, RCP_OP_CTLZ, RCP_OP_CTTZ, RCP_OP_BSWAP, RCP_OP_BITREVERSE,
    /* width changes */
    RCP_OP_ZEXT, RCP_OP_SEXT, RCP_OP_EXTRACT /* low bit in `b` */, RCP_OP_CONCAT /* a is the upper part */,
    RCP_OP_ITE, /* 1-bit condition, two of one width; the side not chosen need have no value */
    /* floats of 32 or 64 bits */
    RCP_OP_FADD, RCP_OP_FSUB, RCP_OP_FMUL, RCP_OP_FDIV, RCP_OP_FREM, RCP_OP_FMIN, RCP_OP_FMAX, RCP_OP_FMA,
    RCP_OP_FNEG, RCP_OP_FABS, RCP_OP_FSQRT, RCP_OP_FFLOOR, RCP_OP_FCEIL, RCP_OP_FTRUNC, RCP_OP_FRINT, RCP_OP_FROUND,
    RCP_OP_FEQ, RCP_OP_FLT, RCP_OP_FLE, RCP_OP_FUNO, /* ordered comparisons; 'one is a NaN' */
    RCP_OP_FEXT, RCP_OP_FCUT,                        /* float to double and back */
    RCP_OP_FTOU, RCP_OP_FTOS,                        /* to integer, saturating, NaN to 0 */
    RCP_OP_UTOF, RCP_OP_STOF,
    RCP_OPS
} rcp_op;
/* clang-format on */

/* How an operator's arguments and result relate; the one place that knows widths. */
typedef enum rcp_shape {
    RCP_SHAPE_LEAF,    /* CONST, READ */
    RCP_SHAPE_UNARY,   /* n -> n */
    RCP_SHAPE_BINARY,  /* n n -> n */
    RCP_SHAPE_COMPARE, /* n n -> 1 */
    RCP_SHAPE_CHANGE,  /* n -> m, stated */
    RCP_SHAPE_EXTRACT, /* n -> m, stated, from a stated bit on */
    RCP_SHAPE_CONCAT,  /* n m -> n + m */
    RCP_SHAPE_ITE,     /* 1 n n -> n */
    RCP_SHAPE_TERNARY, /* n n n -> n */
} rcp_shape;

typedef struct rcp_op_traits {
    const char *name;
    uint8_t shape; /* rcp_shape */
    uint8_t arity;
    uint8_t is_float; /* arguments are floats: widths 32 or 64 */
} rcp_op_traits;

const rcp_op_traits *rcp_op_borrow_traits(rcp_op op);

/* Has it no value for some operands (RCP_EVAL_UNDEFINED)? */
static inline bool rcp_op_is_partial(rcp_op op) {
    return (op >= RCP_OP_UDIV && op <= RCP_OP_SREM) || (op >= RCP_OP_SHL && op <= RCP_OP_ASHR);
}

typedef struct rcp_term_node {
    uint8_t op;    /* rcp_op */
    uint8_t width; /* of the result, 1 to 64 */
    uint32_t a;    /* first argument; READ: byte offset */
    union {
        struct {
            uint32_t b, c; /* further arguments; EXTRACT: b is the low bit; unused ones are 0 */
        };
        uint64_t word; /* CONST: the value; READ: the event's number */
    };
} rcp_term_node;

typedef struct rcp_terms {
    RCP_VEC(rcp_term_node) nodes; /* at[i] is the term RCP_TERM_FIRST + i */
    rcp_term_table table;         /* of the first `entered` nodes: the others when a term is looked for */
    size_t entered;
} rcp_terms;

void rcp_terms_init(rcp_terms *terms);
void rcp_terms_finish(rcp_terms *terms);

/* Takes the next node of a pool that somebody else made (a file): refuses what breaks the rules of widths or ids. That
 * it is not there yet is the other's promise: where it is broken, equal terms have two ids, and no more than that. */
rcp_code rcp_terms_append(rcp_terms *terms, rcp_term_node node) RCP_MUST_USE;
/* A node of a text: the same, but one that is there already is found. Never folds. */
rcp_code rcp_terms_intern(rcp_terms *terms, rcp_term_node node, rcp_term *term) RCP_MUST_USE;

rcp_term rcp_term_const(rcp_terms *terms, unsigned width, uint64_t value);
/* `width` is a multiple of 8. */
rcp_term rcp_term_read(rcp_terms *terms, rcp_eid read, uint32_t offset, unsigned width);
/* Any other operator. `width` is used where the shape says 'stated'; `low` by EXTRACT alone. Arguments past the arity
 * are ignored. Folds where all arguments are literals and the result has a value. The widths must fit: our own mistake
 * otherwise. */
rcp_term rcp_term_make(rcp_terms *terms, rcp_op op, unsigned width, rcp_term a, rcp_term b, rcp_term c);
rcp_term rcp_term_extract(rcp_terms *terms, rcp_term from, unsigned low, unsigned width);

static inline bool rcp_term_is_real(rcp_term term) { return term.v >= RCP_TERM_FIRST; }
/* Borrowed until the next term is made. */
static inline const rcp_term_node *rcp_term_borrow(const rcp_terms *terms, rcp_term term) {
    RCP_DCHECK(rcp_term_is_real(term) && term.v - RCP_TERM_FIRST < terms->nodes.len);
    return &terms->nodes.at[term.v - RCP_TERM_FIRST];
}
static inline size_t rcp_terms_count(const rcp_terms *terms) { return terms->nodes.len; }

typedef RCP_VEC(rcp_eid) rcp_eids;
/* Appends the read events below `term`, each once, ascending. Nothing for RCP_TERM_CONST; RCP_TERM_ALL is the caller's
 * to expand, because only a trace knows 'all earlier reads'. */
void rcp_term_reads(const rcp_terms *terms, rcp_term term, rcp_eids *reads);

typedef enum rcp_eval {
    RCP_EVAL_OK,
    RCP_EVAL_UNKNOWN,   /* a read has no known value; whatever it is, the term has one */
    RCP_EVAL_DOUBTFUL,  /* as unknown, and an operation with that operand may have none */
    RCP_EVAL_UNDEFINED, /* an operation has none */
} rcp_eval;

/* The value of bytes [offset, offset + bytes) of what `read` reads; bytes is 1 to 8. */
typedef rcp_eval rcp_lookup(void *context, rcp_eid read, uint32_t offset, unsigned bytes, uint64_t *value);

/* Is the value of the term (`node` is its id - RCP_TERM_FIRST) known without looking below it? */
typedef bool rcp_shortcut(void *context, uint32_t node, uint64_t *value);

/* Evaluates terms under one assignment of reads and remembers what it has seen: linear in the DAG, however deep. */
typedef struct rcp_evaluator {
    const rcp_terms *terms;
    rcp_lookup *lookup;
    rcp_shortcut *shortcut; /* NULL: none */
    void *context;
    uint64_t *values;
    uint32_t *stamps; /* stamps[i] / 4 == now: node i is known; the rest is its rcp_eval */
    size_t room;
    uint32_t now;
    RCP_VEC(uint32_t) todo;
} rcp_evaluator;

void rcp_evaluator_init(rcp_evaluator *evaluator, const rcp_terms *terms, rcp_lookup *lookup, void *context);
void rcp_evaluator_finish(rcp_evaluator *evaluator);
/* The assignment has changed. */
void rcp_evaluator_forget(rcp_evaluator *evaluator);
/* `term` is a real one. The value is cut to the term's width. */
rcp_eval rcp_evaluator_run(rcp_evaluator *evaluator, rcp_term term, uint64_t *value);

/* One operator on literals: the arithmetic behind folding and evaluation. `width` is the result's, `from` the first
 * argument's. */
rcp_eval rcp_op_apply(rcp_op op, unsigned width, unsigned from, uint64_t a, uint64_t b, uint64_t c, uint64_t *value);

#endif
