/* SPDX-License-Identifier: Apache-2.0 */
/* Calls and invokes of what is no intrinsic; inline assembly. */
#include "program/ir/state.h"

#include <string.h>

/* The number of the landing pad among those of its function, in the order of its blocks. */
static uint32_t pad_number(LLVMBasicBlockRef pad) {
    uint32_t number = 0;
    LLVMValueRef function = LLVMGetBasicBlockParent(pad);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b && b != pad; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            if (LLVMIsAPHINode(i))
                continue;
            number += LLVMIsALandingPadInst(i) != NULL;
            break;
        }
    return number;
}

/* Assembly without a text gives back what its tied operands have ("=r,0"): a barrier for the optimiser, no more. */
static void decode_empty_assembly(rcp_decoding *d, LLVMValueRef i) {
    LLVMTypeRef type = LLVMTypeOf(i);
    if (!rcp_slots_of(d, type))
        return;
    size_t len;
    const char *at = LLVMGetInlineAsmConstraintString(LLVMGetCalledValue(i), &len), *end = at + len;
    int32_t to = rcp_slot(d, i);
    unsigned outputs = 0, input = 0, filled = 0;
    bool is_struct = LLVMGetTypeKind(type) == LLVMStructTypeKind;
    for (; at < end; at++) {
        const char *stop = memchr(at, ',', (size_t)(end - at));
        stop = stop ? stop : end;
        if (*at == '=' && !(at + 1 < end && at[1] == '*'))
            outputs++;
        else if (*at >= '0' && *at <= '9') {
            unsigned which = (unsigned)(*at - '0');
            LLVMValueRef argument = LLVMGetArgOperand(i, input++);
            uint32_t slot = 0;
            for (unsigned k = 0; is_struct && k < which; k++)
                slot += rcp_slots_of(d, LLVMStructGetTypeAtIndex(type, k));
            for (uint32_t k = 0, n = rcp_slots_of(d, LLVMTypeOf(argument)); k < n; k++)
                rcp_emit(d, RCP_INS_MOVE, to + (int32_t)(slot + k), rcp_slot(d, argument) + (int32_t)k, 0);
            filled++;
        } else if (*at != '~')
            input++;
        at = stop;
    }
    if (filled != outputs)
        rcp_refuse_decode(d, "the result of assembly that has no text");
}

static uint32_t add_call(rcp_decoding *d, LLVMValueRef i) {
    rcp_call call = {0};
    size_t len;
    LLVMValueRef called = LLVMGetCalledValue(i);
    call.is_assembly = LLVMIsAInlineAsm(called) != NULL;
    call.callee = call.is_assembly ? NULL : rcp_steps_callee(i);
    call.name = call.is_assembly ? "inline assembly" : call.callee ? LLVMGetValueName2(call.callee, &len) : "a pointer";
    call.address = call.callee ? rcp_unit_address(d->unit, call.callee) : 0;
    call.returns_twice = rcp_steps_returns_twice(i);
    call.layout = rcp_layout_of(d, LLVMTypeOf(i));
    for (unsigned k = 0, n = LLVMGetNumArgOperands(i); k < n; k++) {
        LLVMValueRef argument = LLVMGetArgOperand(i, k);
        uint32_t slots = rcp_slots_of(d, LLVMTypeOf(argument));
        int32_t slot = slots ? rcp_slot(d, argument) : 0;
        for (uint32_t s = 0; s < slots; s++)
            rcp_vec_push(&call.arguments, slot + (int32_t)s);
    }
    rcp_vec_push(&d->routine->calls, call);
    return (uint32_t)d->routine->calls.len - 1;
}

static void decode_edges(rcp_decoding *d, LLVMValueRef i, uint32_t call, size_t at) {
    LLVMBasicBlockRef block = LLVMGetInstructionParent(i), unwind = LLVMGetUnwindDest(i);
    d->routine->calls.at[call].pad = pad_number(unwind);
    rcp_branch_to(d, (rcp_fixup){.which = RCP_FIX_LANDING, .at = at, .index = call, .from = block, .to = unwind});
    rcp_emit_edge(d, block, LLVMGetNormalDest(i));
}

void rcp_decode_call(rcp_decoding *d, LLVMValueRef i) {
    LLVMValueRef called = LLVMGetCalledValue(i), function = rcp_steps_callee(i);
    const rcp_step *step = rcp_step_of(d, i);
    if (function && LLVMGetIntrinsicID(function)) {
        rcp_decode_intrinsic(d, i, function);
        if (LLVMIsAInvokeInst(i))
            rcp_emit_edge(d, LLVMGetInstructionParent(i), LLVMGetNormalDest(i));
        return;
    }
    if (LLVMIsAInlineAsm(called) && !step) {
        decode_empty_assembly(d, i);
        return;
    }
    uint32_t call = add_call(d, i);
    int32_t to = rcp_slots_of(d, LLVMTypeOf(i)) ? rcp_slot(d, i) : 0;
    size_t at = d->routine->code.len;
    if (step && step->kind == RCP_STEP_CALL) {
        d->routine->calls.at[call].routine = rcp_unit_routine(d->unit, function);
        rcp_emit(d, RCP_INS_CALL, to, 0, 0)->c = (int32_t)call;
    } else {
        bool indirect = !function && !LLVMIsAInlineAsm(called);
        d->routine->calls.at[call].called = rcp_outside_resolve(d->routine->calls.at[call].name);
        if (indirect && LLVMIsAConstant(called)) { /* through an alias that may be replaced, or a number */
            uint64_t word;
            if (!rcp_constant_word(d, called, &word))
                return;
        }
        rcp_emit(d, RCP_INS_LEAVE, to, indirect ? rcp_slot(d, called) : 0, (int32_t)call)->c = 1;
        if (indirect)
            d->routine->code.at[at].k = 1; /* its address is in the slot `a` */
    }
    if (LLVMIsAInvokeInst(i))
        decode_edges(d, i, call, at);
}
