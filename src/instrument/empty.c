/* SPDX-License-Identifier: Apache-2.0 */
#include "instrument/empty.h"

#include <llvm-c/DebugInfo.h>

/* A struct of one byte: so are empty classes. */
static bool is_one_byte(LLVMTypeRef type) {
    if (LLVMGetTypeKind(type) != LLVMStructTypeKind || LLVMCountStructElementTypes(type) != 1)
        return false;
    LLVMTypeRef only = LLVMStructGetTypeAtIndex(type, 0);
    return LLVMGetTypeKind(only) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(only) == 8;
}

/* Is the byte at `pointer` loaded, to be handed over? */
static bool is_handed(LLVMValueRef pointer) {
    for (LLVMUseRef use = LLVMGetFirstUse(pointer); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (LLVMIsAGetElementPtrInst(user) && is_handed(user))
            return true;
        LLVMUseRef first = LLVMIsALoadInst(user) ? LLVMGetFirstUse(user) : NULL;
        if (first && (LLVMIsACallInst(LLVMGetUser(first)) || LLVMIsAInvokeInst(LLVMGetUser(first))))
            return true;
    }
    return false;
}

void rcp_empty_begin(rcp_pass_unit *unit, LLVMValueRef function) {
    LLVMBuilderRef builder = NULL;
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(function);
    for (LLVMValueRef i = LLVMGetFirstInstruction(entry), next; i; i = next) {
        next = LLVMGetNextInstruction(i);
        if (!LLVMIsAAllocaInst(i) || !is_one_byte(LLVMGetAllocatedType(i)) || !is_handed(i))
            continue;
        if (!builder)
            builder = LLVMCreateBuilderInContext(unit->context);
        LLVMValueRef at = next;
        while (LLVMIsAAllocaInst(at)) /* a block ends with something else */
            at = LLVMGetNextInstruction(at);
        LLVMPositionBuilderBefore(builder, at);
        LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(at));
        LLVMBuildStore(builder, LLVMConstInt(LLVMInt8TypeInContext(unit->context), 0, false), i);
    }
    if (builder)
        LLVMDisposeBuilder(builder);
}
