/* SPDX-License-Identifier: Apache-2.0 */
/* The floats of program/machine/scalars.h. */
#ifndef RECIPE_PROGRAM_MACHINE_SCALARS_FLOAT_H
#define RECIPE_PROGRAM_MACHINE_SCALARS_FLOAT_H

#include "program/ir/code.h"

void rcp_float_binary(rcp_binary op, rcp_scalar scalar, uint64_t *to, const uint64_t *a, const uint64_t *b);
void rcp_float_unary(rcp_unary op, rcp_scalar scalar, uint64_t *to, const uint64_t *a);
bool rcp_float_compare(unsigned predicate, rcp_scalar scalar, const uint64_t *a, const uint64_t *b);
/* Of a conversion to an integer: can that hold it, cut to a whole number? */
bool rcp_float_fits(rcp_conversion op, rcp_scalar from, rcp_scalar to_scalar, const uint64_t *a);
void rcp_float_convert(rcp_conversion op, rcp_scalar from, rcp_scalar to_scalar, uint64_t *to, const uint64_t *a);
void rcp_scalar_fma(rcp_scalar scalar, uint64_t *to, const uint64_t *a, const uint64_t *b, const uint64_t *c);
/* `to` was made of a, b and e. A NaN that none of them is gets the sign that the program's machine gives to such. */
void rcp_scalar_own_nan(rcp_scalar scalar, bool sign_bit, uint64_t *to, const uint64_t *a, const uint64_t *b,
                        const uint64_t *e);

/* LLVM's predicates over floats, of any type of C's. */
#define RCP_FLOAT_COMPARE(predicate, x, y)                                                                             \
    (((predicate) & 1 && (x) == (y)) || ((predicate) & 2 && (x) > (y)) || ((predicate) & 4 && (x) < (y)) ||            \
     ((predicate) & 8 && __builtin_isunordered(x, y)))

#endif
