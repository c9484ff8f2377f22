/* SPDX-License-Identifier: Apache-2.0 */
#include "program/ir/symbols.h"

#include "program/ir/steps.h"

#include <string.h>

static bool is_llvms(LLVMValueRef global) {
    size_t len;
    const char *name = LLVMGetValueName2(global, &len);
    return len >= 5 && !memcmp(name, "llvm.", 5);
}

/* Is the function used other than as the callee of a call? */
static bool is_address_used(LLVMValueRef function) {
    for (LLVMUseRef use = LLVMGetFirstUse(function); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        bool call = LLVMIsACallInst(user) || LLVMIsAInvokeInst(user);
        if (!call || LLVMGetCalledValue(user) != function)
            return true;
        for (unsigned i = 0, n = LLVMGetNumArgOperands(user); i < n; i++)
            if (LLVMGetArgOperand(user, i) == function)
                return true;
    }
    return false;
}

static void list_blocks(rcp_symbols *symbols, LLVMValueRef function) {
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b)) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(b);
        if (end && LLVMGetInstructionOpcode(end) == LLVMIndirectBr)
            for (unsigned i = 0, n = LLVMGetNumSuccessors(end); i < n; i++)
                rcp_vec_push(&symbols->blocks, LLVMGetSuccessor(end, i));
    }
}

void rcp_symbols_init(rcp_symbols *symbols, LLVMModuleRef module) {
    *symbols = (rcp_symbols){0};
    for (LLVMValueRef g = LLVMGetFirstGlobal(module); g; g = LLVMGetNextGlobal(g)) {
        if (LLVMIsThreadLocal(g))
            rcp_vec_push(&symbols->tls, g);
        else if (!is_llvms(g))
            rcp_vec_push(&symbols->symbols, g);
    }
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        if (LLVMGetIntrinsicID(f))
            continue;
        if (is_address_used(f))
            rcp_vec_push(&symbols->symbols, f);
        if (LLVMIsDeclaration(f))
            continue;
        list_blocks(symbols, f);
        if (!rcp_steps_is_left_out(f))
            rcp_vec_push(&symbols->defined, f);
    }
    for (LLVMValueRef i = LLVMGetFirstGlobalIFunc(module); i; i = LLVMGetNextGlobalIFunc(i))
        rcp_vec_push(&symbols->symbols, i);
}

void rcp_symbols_finish(rcp_symbols *symbols) {
    rcp_vec_finish(&symbols->symbols);
    rcp_vec_finish(&symbols->tls);
    rcp_vec_finish(&symbols->blocks);
    rcp_vec_finish(&symbols->defined);
}
