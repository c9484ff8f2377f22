/* SPDX-License-Identifier: Apache-2.0 */
/* Takes fast-math flags off an instruction. LLVM-C can only add them, so the instruction is built anew. */
#ifndef RECIPE_INSTRUMENT_REBUILD_H
#define RECIPE_INSTRUMENT_REBUILD_H

#include "instrument/unit.h"

/* The instruction without fast-math flags: itself where it had none; else a new one in its place, and it is gone. The
 * builder's position is lost. */
LLVMValueRef rcp_rebuild_exact(LLVMBuilderRef builder, LLVMValueRef instruction);

#endif
