/* SPDX-License-Identifier: Apache-2.0 */
/* What the operators of terms (smt_op.h, smt_float.h) are made with and share.
 *
 * Borrows the pool in which formulas are made.
 */
#ifndef RECIPE_PREDICT_RIVAL_SMT_OPS_H
#define RECIPE_PREDICT_RIVAL_SMT_OPS_H

#include "predict/rival/formula.h"

typedef struct rcp_smt_ops {
    rcp_formulas *pool;
    uint32_t fresh;   /* variables made up so far */
    bool approximate; /* an operator stands in that SMT-LIB can't say: 'satisfiable' is only a maybe */
} rcp_smt_ops;

/* 1 or 0, as a bit-vector of one bit. */
static inline rcp_formula rcp_smt_bit(rcp_smt_ops *ops, rcp_formula truth) {
    return rcp_formula_ite(ops->pool, truth, rcp_formula_literal(ops->pool, 1, 1),
                           rcp_formula_literal(ops->pool, 1, 0));
}

#endif
