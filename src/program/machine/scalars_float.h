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

#endif
