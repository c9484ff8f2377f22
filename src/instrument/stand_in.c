/* SPDX-License-Identifier: Apache-2.0 */
#include "instrument/stand_in.h"

#include <llvm-c/Comdat.h>

LLVMValueRef rcp_stand_in_declare(rcp_pass_unit *unit, const char *name, LLVMTypeRef type) {
    LLVMValueRef function = LLVMAddFunction(unit->module, name, type);
    LLVMSetLinkage(function, LLVMLinkOnceODRLinkage);
    LLVMSetVisibility(function, LLVMHiddenVisibility);
    LLVMSetComdat(function, LLVMGetOrInsertComdat(unit->module, name));
    return function;
}

bool rcp_stand_in_is_callee_alone(LLVMValueRef user, LLVMValueRef function) {
    if ((!LLVMIsACallInst(user) && !LLVMIsAInvokeInst(user)) || LLVMGetCalledValue(user) != function)
        return false;
    for (unsigned i = 0, n = LLVMGetNumArgOperands(user); i < n; i++)
        if (LLVMGetArgOperand(user, i) == function)
            return false;
    return true;
}

void rcp_stand_in_put(LLVMValueRef ours, LLVMValueRef function) {
    LLVMReplaceAllUsesWith(function, ours);
    for (LLVMUseRef use = LLVMGetFirstUse(ours); use; use = LLVMGetNextUse(use))
        if (!rcp_stand_in_is_callee_alone(LLVMGetUser(use), ours))
            return;
    LLVMSetLinkage(ours, LLVMInternalLinkage);
    LLVMSetVisibility(ours, LLVMDefaultVisibility);
    LLVMSetComdat(ours, NULL);
}
