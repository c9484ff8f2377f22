/* SPDX-License-Identifier: Apache-2.0 */
/* Functions of ours that stand in for those of the C library, so that what they do to memory is instrumented like any
 * other code: memory_calls.h and compare_calls.h say which, and fill their bodies.
 */
#ifndef RECIPE_INSTRUMENT_STAND_IN_H
#define RECIPE_INSTRUMENT_STAND_IN_H

#include "instrument/unit.h"
#include "program/ir/steps.h"

/* A function of ours without a body yet: every module that needs it has one, and the linker keeps one for all, so that
 * its address is the same everywhere. */
LLVMValueRef rcp_stand_in_declare(rcp_pass_unit *unit, const char *name, LLVMTypeRef type);
/* Everything that uses `function` uses `ours`; where that is only called it becomes the module's own. */
void rcp_stand_in_put(LLVMValueRef ours, LLVMValueRef function);
/* Does it call the function, without handing it on as an argument, too? */
bool rcp_stand_in_is_callee_alone(LLVMValueRef user, LLVMValueRef function);

#endif
