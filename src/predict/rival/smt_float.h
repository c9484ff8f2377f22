/* SPDX-License-Identifier: Apache-2.0 */
/* Float operators as SMT-LIB's. Bits of a float are a bit-vector everywhere else; SMT-LIB can turn bits into a float,
 * but the way back is a new variable whose float is the given one. The bits of a NaN are then free, and a float
 * remainder (C's fmod) is free altogether: both are noted as approximate. Nothing is owned. */
#ifndef RECIPE_PREDICT_RIVAL_SMT_FLOAT_H
#define RECIPE_PREDICT_RIVAL_SMT_FLOAT_H

#include "predict/rival/smt_ops.h"
#include "trace/model/term.h"

/* The value of a float operator, of FTOU … STOF included, as bits. `from`: the first argument's width. */
rcp_formula rcp_smt_float(rcp_smt_ops *ops, const rcp_term_node *node, unsigned from, const rcp_formula arg[3]);

#endif
