/* SPDX-License-Identifier: Apache-2.0 */
/* Formulas in the words of SMT-LIB: booleans, integers, bit-vectors of 1 to 64 bits, floats. The rival's encoding is
 * made of them; predict/rival/smt2.h writes them down, and predict/rival/z3.h solves what is written, so that a saved
 * query is the one that was solved.
 *
 * Formulas are hash-consed, and folded where an argument is a literal: what the must-happen-before order settles leaves
 * no trace in the text. An argument's id is always smaller than its user's.
 *
 * The pool owns its nodes and names. Ids 0 and 1 are false and true.
 */
#ifndef RECIPE_PREDICT_RIVAL_FORMULA_H
#define RECIPE_PREDICT_RIVAL_FORMULA_H

#include "base/arena.h"
#include "base/map.h"
#include "base/vec.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct rcp_formula {
    uint32_t v;
} rcp_formula;

#define RCP_FALSE ((rcp_formula){0})
#define RCP_TRUE  ((rcp_formula){1})

/* A sort: 1 to 64 is a bit-vector of that width. */
enum { RCP_SORT_BOOL = 0, RCP_SORT_INT = 65, RCP_SORT_ROUNDING = 66, RCP_SORT_FLOAT = 67, RCP_SORT_DOUBLE = 68 };

typedef enum rcp_formula_op {
    RCP_F_LITERAL, /* word: 0 or 1, an integer, the bits */
    RCP_F_VARIABLE,
    RCP_F_APPLY, /* the function that `name` says, as SMT-LIB writes it */
} rcp_formula_op;

typedef struct rcp_formula_node {
    uint8_t op, sort;
    uint16_t n_args;
    uint32_t args;    /* n_args ids in rcp_formulas.args */
    uint64_t word;    /* LITERAL */
    const char *name; /* VARIABLE, APPLY: interned; "and", "bvadd", "(_ extract 7 0)" */
} rcp_formula_node;

/* One assertion and what it says, for people. */
typedef struct rcp_assertion {
    rcp_formula formula;
    const char *comment; /* "" where the one before still holds */
} rcp_assertion;

typedef struct rcp_formulas {
    RCP_VEC(rcp_formula_node) nodes;
    RCP_VEC(uint32_t) args;
    RCP_VEC(uint32_t) variables; /* in the order of their declaration */
    RCP_VEC(rcp_assertion) assertions;
    RCP_VEC(rcp_formula) list;   /* the arguments in hand, see rcp_formula_push() */
    RCP_VEC(const char *) names; /* interned: equal names are the same pointer */
    rcp_map by_hash, by_name;
    rcp_arena memory;
} rcp_formulas;

void rcp_formulas_init(rcp_formulas *pool);
void rcp_formulas_finish(rcp_formulas *pool);

/* Declares it, where that was not done before. */
rcp_formula rcp_formula_variable(rcp_formulas *pool, unsigned sort, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
rcp_formula rcp_formula_literal(rcp_formulas *pool, unsigned sort, uint64_t word);
/* Any function; folds nothing. `name` may be freed afterwards. */
rcp_formula rcp_formula_apply(rcp_formulas *pool, unsigned sort, const char *name, const rcp_formula *args, size_t n);
rcp_formula rcp_formula_apply1(rcp_formulas *pool, unsigned sort, const char *name, rcp_formula a);
rcp_formula rcp_formula_apply2(rcp_formulas *pool, unsigned sort, const char *name, rcp_formula a, rcp_formula b);

rcp_formula rcp_formula_not(rcp_formulas *pool, rcp_formula a);
rcp_formula rcp_formula_and(rcp_formulas *pool, rcp_formula a, rcp_formula b);
rcp_formula rcp_formula_or(rcp_formulas *pool, rcp_formula a, rcp_formula b);
rcp_formula rcp_formula_implies(rcp_formulas *pool, rcp_formula a, rcp_formula b);
rcp_formula rcp_formula_ite(rcp_formulas *pool, rcp_formula condition, rcp_formula a, rcp_formula b);
/* Of any sort but floats: bits are compared. */
rcp_formula rcp_formula_equal(rcp_formulas *pool, rcp_formula a, rcp_formula b);

/* Long conjunctions and disjunctions: remember pool->list.len, push, and close with that mark. Nest as you like. */
static inline void rcp_formula_push(rcp_formulas *pool, rcp_formula a) { rcp_vec_push(&pool->list, a); }
rcp_formula rcp_formula_all(rcp_formulas *pool, size_t mark);
rcp_formula rcp_formula_any(rcp_formulas *pool, size_t mark);
rcp_formula rcp_formula_sum(rcp_formulas *pool, size_t mark);

void rcp_formula_assert(rcp_formulas *pool, rcp_formula a, const char *comment);

static inline const rcp_formula_node *rcp_formula_borrow(const rcp_formulas *pool, rcp_formula a) {
    return &pool->nodes.at[a.v];
}
static inline bool rcp_formula_is_literal(const rcp_formulas *pool, rcp_formula a) {
    return pool->nodes.at[a.v].op == RCP_F_LITERAL;
}

#endif
