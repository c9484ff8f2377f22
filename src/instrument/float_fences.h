/* SPDX-License-Identifier: Apache-2.0 */
/* Keeps the back end from rewriting float arithmetic in ways that a NaN shows.
 *
 * To LLVM the bits of a NaN that an operation gives are anybody's: it moves a negation from one factor to another,
 * makes x * -1 a negation and x * 1 nothing, and a NaN's sign or its quiet bit is another then. Re-execution computes
 * what the code says, so the machine has to. Negations stand between fences, and so do constants that such rewriting
 * needs. A fence (llvm.arithmetic.fence) is no instruction; what it costs is a multiply-and-subtract where the code has
 * a negation.
 *
 * What is left: of two NaNs with other bits as operands of + or *, which one the result is may depend on their order.
 */
#ifndef RECIPE_INSTRUMENT_FLOAT_FENCES_H
#define RECIPE_INSTRUMENT_FLOAT_FENCES_H

#include "instrument/emit.h"

void rcp_float_fences_write(rcp_emitter *emitter);

#endif
