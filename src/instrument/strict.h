/* SPDX-License-Identifier: Apache-2.0 */
/* Takes undefined behaviour of computations out of a function: afterwards every instruction that is no access to memory
 * has one result for every operands, the one that the machine would give where the language gives none.
 *
 *   undef, poison, freeze        zero
 *   nuw nsw exact inbounds …     dropped: results wrap; fast-math flags too. nsw leaves a mark (RCP_STEPS_NO_WRAP)
 *   a shift by too much          modulo the width
 *   float to integer             saturates (as aarch64 does; x86_64 gives its lowest number)
 *   an element out of range      the index modulo the length
 *   division by zero, overflow   aarch64: 0 and wrapping, as its divider; x86_64 faults: divide() in inline/hooks.c
 *   llvm.fmuladd                 fused on aarch64 and where x86_64 has it, else two operations
 *   unreachable                  traps
 *   hints (assume, lifetime, …)  dropped
 * Where a struct is passed in memory (byval) the copy is made explicit, so that it is an event.
 */
#ifndef RECIPE_INSTRUMENT_STRICT_H
#define RECIPE_INSTRUMENT_STRICT_H

#include "instrument/unit.h"

void rcp_strict_function(rcp_pass_unit *unit, LLVMValueRef function);
/* Undefined bytes of initialised variables become zero, as the linker has them. */
void rcp_strict_globals(rcp_pass_unit *unit);

/* strict_ops.c: a replacement for the instruction's value, built before it; NULL: it stays. */
LLVMValueRef rcp_strict_replace(rcp_pass_unit *unit, LLVMBuilderRef builder, LLVMValueRef instruction);
/* Is the call one that says nothing but hints, and has no result? */
bool rcp_strict_is_hint(LLVMValueRef call);

#endif
