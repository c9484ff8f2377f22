/* SPDX-License-Identifier: Apache-2.0 */
/* aarch64's intrinsics that compute with vectors of integers (vqaddq, vmull, vrhaddq, vqdmulhq, vqmovun and their kin)
 * as plain instructions: then re-execution computes them too, and nothing of them is logged. The code generator knows
 * the patterns and makes the same machine instructions of most of them. What is not in the table here keeps its call,
 * whose result is logged.
 *
 * Invariant: the same bits for all inputs; none of these has undefined results. */
#ifndef RECIPE_INSTRUMENT_NEON_COMPUTE_H
#define RECIPE_INSTRUMENT_NEON_COMPUTE_H

#include "instrument/unit.h"

/* What takes the place of the call, built before it; NULL: it stays. */
LLVMValueRef rcp_neon_compute(rcp_pass_unit *unit, LLVMBuilderRef builder, LLVMValueRef call);

#endif
