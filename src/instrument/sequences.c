/* SPDX-License-Identifier: Apache-2.0 */
#include "instrument/sequences.h"

#include "program/ir/steps.h"

#include <string.h>

/* Assembly may; and a volatile store is an atomic one for whoever asks for that (--volatile=atomic). */
static bool may_write_atomically(LLVMValueRef i) {
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg: return true;
    case LLVMStore: return LLVMGetVolatile(i) || LLVMGetOrdering(i) != LLVMAtomicOrderingNotAtomic;
    case LLVMCall:
    case LLVMInvoke:
    case LLVMCallBr: return LLVMIsAInlineAsm(LLVMGetCalledValue(i));
    default: return false;
    }
}

static bool has_atomic_writes(LLVMModuleRef module) {
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
            for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
                if (may_write_atomically(i))
                    return true;
    return false;
}

void rcp_sequences_mark(rcp_pass_unit *unit, bool is_cxx20) {
    if (is_cxx20 || !has_atomic_writes(unit->module))
        LLVMAddModuleFlag(unit->module, LLVMModuleFlagBehaviorOverride, RCP_SEQUENCES_FLAG, strlen(RCP_SEQUENCES_FLAG),
                          LLVMValueAsMetadata(LLVMConstInt(unit->i32, 1, false)));
}
