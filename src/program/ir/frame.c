/* SPDX-License-Identifier: Apache-2.0 */
#include "program/ir/frame.h"

static LLVMAttributeRef parameter_attribute(LLVMValueRef function, unsigned parameter, const char *name, size_t len) {
    return LLVMGetEnumAttributeAtIndex(function, parameter + 1, LLVMGetEnumAttributeKindForName(name, len));
}

static LLVMTypeRef byval(LLVMValueRef function, unsigned parameter) {
    LLVMAttributeRef attribute = parameter_attribute(function, parameter, "byval", 5);
    return attribute ? LLVMGetTypeAttributeValue(attribute) : NULL;
}

LLVMTypeRef rcp_frame_byval(LLVMValueRef parameter) {
    LLVMValueRef function = LLVMGetParamParent(parameter);
    for (unsigned i = 0, n = LLVMCountParams(function); i < n; i++)
        if (LLVMGetParam(function, i) == parameter)
            return byval(function, i);
    return NULL;
}

bool rcp_frame_is_static(LLVMValueRef alloca) {
    LLVMBasicBlockRef block = LLVMGetInstructionParent(alloca);
    return block == LLVMGetEntryBasicBlock(LLVMGetBasicBlockParent(block)) &&
           LLVMIsAConstantInt(LLVMGetOperand(alloca, 0));
}

uint64_t rcp_frame_unit(LLVMValueRef alloca, LLVMTargetDataRef layout) {
    return LLVMABISizeOfType(layout, LLVMGetAllocatedType(alloca));
}

void rcp_frame_slots_of(LLVMValueRef function, LLVMTargetDataRef layout, rcp_frame_slots *slots) {
    for (unsigned i = 0, n = LLVMCountParams(function); i < n; i++) {
        LLVMTypeRef type = byval(function, i);
        if (!type)
            continue;
        LLVMAttributeRef align = parameter_attribute(function, i, "align", 5);
        rcp_vec_push(slots, ((rcp_frame_slot){LLVMGetParam(function, i), LLVMABISizeOfType(layout, type),
                                              align ? LLVMGetEnumAttributeValue(align) : 16}));
    }
    for (LLVMValueRef i = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function)); i; i = LLVMGetNextInstruction(i))
        if (LLVMIsAAllocaInst(i) && rcp_frame_is_static(i))
            rcp_vec_push(
                slots, ((rcp_frame_slot){i, rcp_frame_unit(i, layout) * LLVMConstIntGetZExtValue(LLVMGetOperand(i, 0)),
                                         LLVMGetAlignment(i)}));
}
