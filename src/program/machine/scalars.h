/* SPDX-License-Identifier: Apache-2.0 */
/* The arithmetic of the operations that have no instruction of their own: any width up to 128 bits, every kind of
 * float.
 *
 * Operands and results are rows of one or two slots (program/ir/code.h). Integer division is that of the machine on
 * which no division traps: x / 0 is 0, x % 0 is x, the smallest number / -1 is itself. Long doubles are computed with
 * the host's; those of another architecture have no value here (rcp_scalar_has).
 */
#ifndef RECIPE_PROGRAM_MACHINE_SCALARS_H
#define RECIPE_PROGRAM_MACHINE_SCALARS_H

#include "program/machine/scalars_float.h"

void rcp_scalar_binary(rcp_binary op, rcp_scalar scalar, uint32_t result_bits, uint64_t *to, const uint64_t *a,
                       const uint64_t *b);
void rcp_scalar_unary(rcp_unary op, rcp_scalar scalar, uint64_t *to, const uint64_t *a);
/* `predicate`: LLVM's, of the integers or of the floats. */
bool rcp_scalar_compare(unsigned predicate, rcp_scalar scalar, const uint64_t *a, const uint64_t *b);
void rcp_scalar_convert(rcp_conversion op, rcp_scalar from, rcp_scalar to_scalar, uint64_t *to, const uint64_t *a);
/* Returns whether it overflowed. */
bool rcp_scalar_overflow(rcp_overflow op, rcp_scalar scalar, uint64_t *to, const uint64_t *a, const uint64_t *b);
void rcp_scalar_funnel(bool left, rcp_scalar scalar, uint64_t *to, const uint64_t *a, const uint64_t *b,
                       const uint64_t *by);

#endif
