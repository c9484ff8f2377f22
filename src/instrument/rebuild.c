/* SPDX-License-Identifier: Apache-2.0 */
#include "instrument/rebuild.h"

#include "base/vec.h"

#include <llvm-c/DebugInfo.h>

static void copy_attributes(LLVMValueRef from, LLVMValueRef to, LLVMAttributeIndex index) {
    unsigned n = LLVMGetCallSiteAttributeCount(from, index);
    if (!n)
        return;
    RCP_VEC(LLVMAttributeRef) all = {0};
    LLVMAttributeRef *at = rcp_vec_extend(&all, n);
    LLVMGetCallSiteAttributes(from, index, at);
    for (unsigned i = 0; i < n; i++)
        LLVMAddCallSiteAttribute(to, index, at[i]);
    rcp_vec_finish(&all);
}

static LLVMValueRef build_call(LLVMBuilderRef builder, LLVMValueRef i) {
    RCP_VEC(LLVMValueRef) arguments = {0};
    RCP_VEC(LLVMOperandBundleRef) bundles = {0};
    unsigned n = LLVMGetNumArgOperands(i);
    for (unsigned a = 0; a < n; a++)
        rcp_vec_push(&arguments, LLVMGetArgOperand(i, a));
    for (unsigned b = 0, count = LLVMGetNumOperandBundles(i); b < count; b++)
        rcp_vec_push(&bundles, LLVMGetOperandBundleAtIndex(i, b));
    LLVMValueRef call = LLVMBuildCallWithOperandBundles(builder, LLVMGetCalledFunctionType(i), LLVMGetCalledValue(i),
                                                        arguments.at, n, bundles.at, (unsigned)bundles.len, "");
    LLVMSetInstructionCallConv(call, LLVMGetInstructionCallConv(i));
    LLVMSetTailCallKind(call, LLVMGetTailCallKind(i));
    copy_attributes(i, call, LLVMAttributeFunctionIndex);
    for (unsigned a = 0; a <= n; a++)
        copy_attributes(i, call, a);
    for (size_t b = 0; b < bundles.len; b++)
        LLVMDisposeOperandBundle(bundles.at[b]);
    rcp_vec_finish(&arguments);
    rcp_vec_finish(&bundles);
    return call;
}

static LLVMValueRef build_phi(LLVMBuilderRef builder, LLVMValueRef i) {
    LLVMValueRef phi = LLVMBuildPhi(builder, LLVMTypeOf(i), "");
    for (unsigned e = 0, n = LLVMCountIncoming(i); e < n; e++) {
        LLVMValueRef value = LLVMGetIncomingValue(i, e);
        LLVMBasicBlockRef block = LLVMGetIncomingBlock(i, e);
        LLVMAddIncoming(phi, &value, &block, 1);
    }
    return phi;
}

static LLVMValueRef build(LLVMBuilderRef builder, LLVMValueRef i) {
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMFAdd:
    case LLVMFSub:
    case LLVMFMul:
    case LLVMFDiv:
    case LLVMFRem:
        return LLVMBuildBinOp(builder, LLVMGetInstructionOpcode(i), LLVMGetOperand(i, 0), LLVMGetOperand(i, 1), "");
    case LLVMFNeg: return LLVMBuildFNeg(builder, LLVMGetOperand(i, 0), "");
    case LLVMFCmp:
        return LLVMBuildFCmp(builder, LLVMGetFCmpPredicate(i), LLVMGetOperand(i, 0), LLVMGetOperand(i, 1), "");
    case LLVMSelect:
        return LLVMBuildSelect(builder, LLVMGetOperand(i, 0), LLVMGetOperand(i, 1), LLVMGetOperand(i, 2), "");
    case LLVMPHI: return build_phi(builder, i);
    case LLVMCall: return build_call(builder, i);
    default: return NULL;
    }
}

LLVMValueRef rcp_rebuild_exact(LLVMBuilderRef builder, LLVMValueRef i) {
    if (!LLVMCanValueUseFastMathFlags(i) || !LLVMGetFastMathFlags(i))
        return i;
    LLVMPositionBuilderBefore(builder, i);
    LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(i));
    LLVMValueRef exact = build(builder, i);
    RCP_CHECK(exact);
    LLVMReplaceAllUsesWith(i, exact);
    LLVMInstructionEraseFromParent(i);
    return exact;
}
