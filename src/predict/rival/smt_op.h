/* SPDX-License-Identifier: Apache-2.0 */
/* The operators of terms as formulas: trace/model/term_eval.c's arithmetic in SMT-LIB's words, 'unknown' and 'has no
 * value' included. What a read took is the caller's to say; everything above it is here.
 *
 * Owns nothing.
 */
#ifndef RECIPE_PREDICT_RIVAL_SMT_OP_H
#define RECIPE_PREDICT_RIVAL_SMT_OP_H

#include "predict/rival/smt_ops.h"
#include "trace/model/term.h"

/* A term as a formula. Neither ok nor bad: its value is unknown. */
typedef struct rcp_smt_value {
    rcp_formula value; /* a bit-vector of the term's width; means something where ok */
    rcp_formula ok;
    rcp_formula bad; /* it has no value, or perhaps none */
} rcp_smt_value;

/* Any operator but CONST and READ, of its arguments; `from`: the width of the first. */
rcp_smt_value rcp_smt_combine(rcp_smt_ops *ops, const rcp_term_node *node, unsigned from, const rcp_smt_value arg[3]);

/* Bytes [from, from + n) of a value. */
rcp_formula rcp_smt_bytes(rcp_smt_ops *ops, rcp_formula value, unsigned from, unsigned n);
rcp_formula rcp_smt_concat(rcp_smt_ops *ops, rcp_formula upper, rcp_formula lower);

#endif
