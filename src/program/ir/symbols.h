/* SPDX-License-Identifier: Apache-2.0 */
/* The addresses that re-execution needs of a module, in the one order that the pass and the decoder agree on
 * (abi/module.h: struct rcp_module).
 *
 * symbols  every global variable that is not thread-local and whose name does not begin with "llvm.", in the module's
 *          order; then every function, declared or defined, that is no intrinsic and is used other than as the callee
 *          of a call, in the module's order; then every ifunc, in the module's order
 * tls      every thread-local global variable, in the module's order
 * blocks   for each function in order, for each indirectbr of it in order, each destination (with repetitions)
 * defined  every function with a body that is instrumented (no RCP_OPAQUE_ATTRIBUTE), in the module's order: struct
 *          rcp_function's index
 *
 * The lists borrow the module's values.
 */
#ifndef RECIPE_PROGRAM_IR_SYMBOLS_H
#define RECIPE_PROGRAM_IR_SYMBOLS_H

#include "base/vec.h"

#include <llvm-c/Core.h>

typedef struct rcp_symbols {
    RCP_VEC(LLVMValueRef) symbols;
    RCP_VEC(LLVMValueRef) tls;
    RCP_VEC(LLVMBasicBlockRef) blocks;
    RCP_VEC(LLVMValueRef) defined;
} rcp_symbols;

void rcp_symbols_init(rcp_symbols *symbols, LLVMModuleRef module);
void rcp_symbols_finish(rcp_symbols *symbols);

#endif
