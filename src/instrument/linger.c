/* SPDX-License-Identifier: Apache-2.0 */
#include "instrument/linger.h"

#include "instrument/opaque.h"
#include "outside/outside.h"

#include <llvm-c/DebugInfo.h>

void rcp_linger_before_end(rcp_pass_unit *unit) {
    LLVMValueRef function = LLVMGetNamedFunction(unit->module, "main");
    if (!function || LLVMIsDeclaration(function) || rcp_opaque_is(function))
        return;
    size_t first = 0;
    const char *name = rcp_outside_having(RCP_ROLE_LINGERS, &first)->name;
    LLVMTypeRef type = LLVMFunctionType(unit->void_type, NULL, 0, false);
    LLVMValueRef known = LLVMGetNamedFunction(unit->module, name);
    LLVMValueRef linger = known ? known : LLVMAddFunction(unit->module, name, type);
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(unit->context);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b)) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(b);
        if (!LLVMIsAReturnInst(end))
            continue;
        LLVMPositionBuilderBefore(builder, end);
        LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(end));
        LLVMBuildCall2(builder, type, linger, NULL, 0, "");
    }
    LLVMDisposeBuilder(builder);
}
