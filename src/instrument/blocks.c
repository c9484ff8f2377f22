/* SPDX-License-Identifier: Apache-2.0 */
#include "instrument/blocks.h"

#include "base/vec.h"

#include <llvm-c/DebugInfo.h>

static bool has_one_use(LLVMBasicBlockRef block) {
    LLVMUseRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(block));
    return use && !LLVMGetNextUse(use);
}

/* The block to join with; NULL: none. A block whose address is taken has a use more. */
static LLVMBasicBlockRef only_next(LLVMBasicBlockRef block) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
    if (!end || LLVMGetInstructionOpcode(end) != LLVMBr || LLVMIsConditional(end))
        return NULL;
    LLVMBasicBlockRef next = LLVMGetSuccessor(end, 0);
    return next != block && has_one_use(next) ? next : NULL;
}

static void join(LLVMBuilderRef builder, LLVMBasicBlockRef block, LLVMBasicBlockRef next) {
    for (LLVMValueRef i; LLVMIsAPHINode(i = LLVMGetFirstInstruction(next));) {
        LLVMReplaceAllUsesWith(i, LLVMGetIncomingValue(i, 0));
        LLVMInstructionEraseFromParent(i);
    }
    LLVMInstructionEraseFromParent(LLVMGetBasicBlockTerminator(block));
    /* Phis behind `next` name it as where they come from; for a block, LLVM sees to those. */
    LLVMReplaceAllUsesWith(LLVMBasicBlockAsValue(next), LLVMBasicBlockAsValue(block));
    LLVMPositionBuilderAtEnd(builder, block);
    for (LLVMValueRef i; (i = LLVMGetFirstInstruction(next));) {
        LLVMInstructionRemoveFromParent(i);
        LLVMInsertIntoBuilder(builder, i);
    }
    LLVMDeleteBasicBlock(next);
}

void rcp_blocks_join(rcp_pass_unit *unit, LLVMValueRef function) {
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(unit->context);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMBasicBlockRef next; (next = only_next(b));)
            join(builder, b, next);
    LLVMDisposeBuilder(builder);
}

/* The phi with `to` in the place of `from` among where it comes from. */
static void reroute(LLVMBuilderRef builder, LLVMValueRef phi, LLVMBasicBlockRef from, LLVMBasicBlockRef to) {
    LLVMPositionBuilderBefore(builder, phi);
    LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(phi));
    LLVMValueRef better = LLVMBuildPhi(builder, LLVMTypeOf(phi), "");
    for (unsigned i = 0, n = LLVMCountIncoming(phi); i < n; i++) {
        LLVMValueRef value = LLVMGetIncomingValue(phi, i);
        LLVMBasicBlockRef block = LLVMGetIncomingBlock(phi, i);
        LLVMAddIncoming(better, &value, block == from ? &to : &block, 1);
    }
    LLVMReplaceAllUsesWith(phi, better);
    LLVMInstructionEraseFromParent(phi);
}

static void split(rcp_pass_unit *unit, LLVMBuilderRef builder, LLVMValueRef invoke) {
    LLVMBasicBlockRef from = LLVMGetInstructionParent(invoke), to = LLVMGetNormalDest(invoke);
    LLVMBasicBlockRef between = LLVMInsertBasicBlockInContext(unit->context, to, "");
    if (LLVMGetPreviousBasicBlock(between) != from) /* it stands after what it comes from: no loop begins there */
        LLVMMoveBasicBlockAfter(between, from);
    LLVMPositionBuilderAtEnd(builder, between);
    LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(invoke));
    LLVMBuildBr(builder, to);
    for (LLVMValueRef i = LLVMGetFirstInstruction(to), next; LLVMIsAPHINode(i); i = next) {
        next = LLVMGetNextInstruction(i);
        reroute(builder, i, from, between);
    }
    LLVMSetNormalDest(invoke, between);
}

void rcp_blocks_split_invokes(rcp_pass_unit *unit, LLVMValueRef function) {
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(unit->context);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b)) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(b);
        if (end && LLVMIsAInvokeInst(end) && !has_one_use(LLVMGetNormalDest(end)))
            split(unit, builder, end);
    }
    LLVMDisposeBuilder(builder);
}

LLVMBasicBlockRef rcp_blocks_split(rcp_pass_unit *unit, LLVMValueRef at) {
    LLVMBasicBlockRef block = LLVMGetInstructionParent(at);
    LLVMBasicBlockRef front = LLVMInsertBasicBlockInContext(unit->context, block, "");
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(unit->context);
    /* Without its end, so that phis behind the block go on naming it. */
    LLVMInstructionRemoveFromParent(end);
    LLVMReplaceAllUsesWith(LLVMBasicBlockAsValue(block), LLVMBasicBlockAsValue(front));
    LLVMPositionBuilderAtEnd(builder, block);
    LLVMInsertIntoBuilder(builder, end);
    LLVMPositionBuilderAtEnd(builder, front);
    for (LLVMValueRef i; (i = LLVMGetFirstInstruction(block)) != at;) {
        LLVMInstructionRemoveFromParent(i);
        LLVMInsertIntoBuilder(builder, i);
    }
    LLVMDisposeBuilder(builder);
    return front;
}
