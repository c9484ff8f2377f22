/* SPDX-License-Identifier: Apache-2.0 */
#include "instrument/machine_fences.h"

#include "program/ir/steps.h"

#include <llvm-c/DebugInfo.h>

/* isb, too: behind a branch on what was read it orders the reads that follow. */
static bool is_barrier(LLVMValueRef call) {
    static const char *const names[] = {"llvm.aarch64.dmb",     "llvm.aarch64.dsb",     "llvm.aarch64.isb",
                                        "llvm.x86.sse2.mfence", "llvm.x86.sse2.lfence", "llvm.x86.sse.sfence"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (rcp_steps_calls_intrinsic(call, names[i]))
            return true;
    return false;
}

void rcp_machine_fences_add(rcp_pass_unit *unit) {
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(unit->context);
    for (LLVMValueRef f = LLVMGetFirstFunction(unit->module); f; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
            for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
                if (!LLVMIsACallInst(i) || !is_barrier(i))
                    continue;
                LLVMPositionBuilderBefore(builder, i);
                LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(i));
                LLVMBuildFence(builder, LLVMAtomicOrderingSequentiallyConsistent, false, "");
            }
    LLVMDisposeBuilder(builder);
}
