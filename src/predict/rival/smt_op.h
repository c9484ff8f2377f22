/* SPDX-License-Identifier: Apache-2.0 */
/* The operators of terms as formulas: trace/model/term_eval.c's arithmetic in SMT-LIB's words, 'unknown' and 'has no
 * value' included. What a read took is the caller's to say; everything above it is here.
 *
 * Borrows the pool in which formulas are made.
 */
#ifndef RECIPE_PREDICT_RIVAL_SMT_OP_H
#define RECIPE_PREDICT_RIVAL_SMT_OP_H

#include "predict/rival/formula.h"
#include "trace/model/term.h"

typedef struct rcp_smt_ops {
    rcp_formulas *pool;
    uint32_t fresh;   /* variables made up so far */
    bool approximate; /* an operator stands in that SMT-LIB can't say: 'satisfiable' is only a maybe */
} rcp_smt_ops;

/* A term as a formula. Neither ok nor bad: its value is unknown. */
typedef struct rcp_smt_value {
    rcp_formula value; /* a bit-vector of the term's width; means something where ok */
    rcp_formula ok;
    rcp_formula bad; /* it has no value, or perhaps none */
} rcp_smt_value;

/* Any operator but CONST and READ, of its arguments; `from`: the width of the first. */
rcp_smt_value rcp_smt_combine(rcp_smt_ops *ops, const rcp_term_node *node, unsigned from, const rcp_smt_value arg[3]);

/* 1 or 0, as a bit-vector of one bit. */
rcp_formula rcp_smt_bit(rcp_smt_ops *ops, rcp_formula truth);
/* Bytes [from, from + n) of a value. */
rcp_formula rcp_smt_bytes(rcp_smt_ops *ops, rcp_formula value, unsigned from, unsigned n);
rcp_formula rcp_smt_concat(rcp_smt_ops *ops, rcp_formula upper, rcp_formula lower);

#endif
