/* SPDX-License-Identifier: Apache-2.0 */
#include "instrument/float_fences.h"

static LLVMValueRef fence(rcp_emitter *e, LLVMValueRef value) {
    LLVMTypeRef type = LLVMTypeOf(value);
    return rcp_unit_build_intrinsic(e->unit, e->builder, "llvm.arithmetic.fence", &type, 1, &value, 1);
}

/* 0, 1 and their negatives, NaN (x - NaN becomes x + -NaN, whose sign is another); every lane of a vector the same or
 * not: it is a constant that folds. */
static bool folds(LLVMValueRef constant) {
    if (!LLVMIsAConstant(constant))
        return false;
    if (!LLVMIsAConstantFP(constant)) /* vectors, and zeros of any type */
        return true;
    LLVMBool loses;
    double value = LLVMConstRealGetDouble(constant, &loses);
    return value == 0 || value == 1 || value == -1 || value != value;
}

static void fence_constants(rcp_emitter *e, LLVMValueRef i) {
    for (unsigned k = 0; k < 2; k++) {
        LLVMValueRef operand = LLVMGetOperand(i, k);
        if (!folds(operand))
            continue;
        rcp_emit_before(e, i);
        LLVMSetOperand(i, k, fence(e, operand));
    }
}

static void fence_negation(rcp_emitter *e, LLVMValueRef i) {
    rcp_emit_before(e, i);
    LLVMSetOperand(i, 0, fence(e, LLVMGetOperand(i, 0)));
    /* Its users take the fence's result; the fence itself, its. */
    LLVMValueRef placeholder = LLVMGetUndef(LLVMTypeOf(i));
    rcp_emit_after(e, i);
    LLVMValueRef after = fence(e, placeholder);
    LLVMReplaceAllUsesWith(i, after);
    LLVMSetOperand(after, 0, i);
}

void rcp_float_fences_write(rcp_emitter *e) {
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(e->function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b), next; i; i = next) {
            next = LLVMGetNextInstruction(i);
            switch (LLVMGetInstructionOpcode(i)) {
            case LLVMFNeg: fence_negation(e, i); break;
            case LLVMFAdd:
            case LLVMFSub:
            case LLVMFMul:
            case LLVMFDiv: fence_constants(e, i); break;
            default: break;
            }
        }
}
