/* SPDX-License-Identifier: Apache-2.0 */
/* Formulas as SMT-LIB 2 text: what --save-smt2 leaves for other solvers, and what z3 is given.
 *
 * A text declares the variables that it uses, defines what is used more than once (d1, d2 …), and asserts, each
 * assertion below a comment that says what it is of the trace. The same formulas give the same text. Nothing is owned.
 */
#ifndef RECIPE_PREDICT_RIVAL_SMT2_H
#define RECIPE_PREDICT_RIVAL_SMT2_H

#include "base/text.h"
#include "predict/rival/formula.h"

/* Assertions from number `from` on, with their declarations and definitions. */
void rcp_smt2_print(rcp_text *out, const rcp_formulas *pool, size_t from);
/* The smallest logic that holds all assertions: QF_IDL where they are differences alone. */
const char *rcp_smt2_logic(const rcp_formulas *pool);

#endif
