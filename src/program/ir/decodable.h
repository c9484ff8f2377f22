/* SPDX-License-Identifier: Apache-2.0 */
/* Whether re-execution will know what a module's functions do: asked when it is compiled, so that those it would not
 * know run as code outside (instrument/opaque.h) and no re-execution meets them.
 *
 * The answer is the decoder's own: each function that is to be instrumented is decoded, and thrown away.
 */
#ifndef RECIPE_PROGRAM_IR_DECODABLE_H
#define RECIPE_PROGRAM_IR_DECODABLE_H

#include "base/status.h"

#include <llvm-c/Core.h>

/* `at`: the instruction that is refused; `why` is a noun phrase, borrowed for the call. Must not change the module. */
typedef void rcp_decodable_refused(void *context, LLVMValueRef function, LLVMValueRef at, const char *why);

/* Calls `each` once for every function that has something to be refused. The module is as it will be embedded. */
rcp_code rcp_decodable_check(LLVMModuleRef module, rcp_decodable_refused *each, void *context) RCP_MUST_USE;

#endif
