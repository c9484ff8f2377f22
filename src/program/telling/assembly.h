/* SPDX-License-Identifier: Apache-2.0 */
/* What inline assembly does, as its text says: some that waits a moment, orders memory, looks at a clock, or computes
 * in registers is known, so that its call is no barrier pair that reaches everything.
 *
 * Instructions are divided by ; and lines, as the compiler of the machine that it is for has them. What is not known
 * for certain is not known.
 */
#ifndef RECIPE_PROGRAM_TELLING_ASSEMBLY_H
#define RECIPE_PROGRAM_TELLING_ASSEMBLY_H

#include "outside/outside.h"

#include <llvm-c/Core.h>
#include <stdbool.h>

/* A row for it, for as long as the process lives; NULL: it may do anything. */
const rcp_outside *rcp_assembly_row(LLVMValueRef assembly, bool is_aarch64);
/* Does a row of these say that memory is ordered? */
bool rcp_assembly_orders(const rcp_outside *row);
/* … or that a clock of the machine's is looked at? */
bool rcp_assembly_looks_at_clock(const rcp_outside *row);

#endif
