/* SPDX-License-Identifier: Apache-2.0 */
#include "instrument/frame_hooks.h"

#include "instrument/opaque.h"
#include "program/ir/frame.h"

typedef RCP_VEC(LLVMValueRef) values;

bool rcp_frame_hooks_is_reachable(LLVMValueRef function) {
    LLVMLinkage linkage = LLVMGetLinkage(function);
    if (linkage != LLVMInternalLinkage && linkage != LLVMPrivateLinkage)
        return true;
    for (LLVMUseRef use = LLVMGetFirstUse(function); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if ((!LLVMIsACallInst(user) && !LLVMIsAInvokeInst(user)) || LLVMGetCalledValue(user) != function)
            return true;
        for (unsigned i = 0, n = LLVMGetNumArgOperands(user); i < n; i++)
            if (LLVMGetArgOperand(user, i) == function)
                return true;
        if (rcp_opaque_is(LLVMGetBasicBlockParent(LLVMGetInstructionParent(user))))
            return true;
    }
    return false;
}

LLVMValueRef rcp_frame_hooks_top(rcp_emitter *e, const rcp_frame_hooks *frame) {
    if (!frame->variable)
        return frame->top;
    LLVMValueRef top = LLVMBuildLoad2(e->builder, e->unit->ptr, frame->variable, "");
    LLVMSetVolatile(top, frame->twice);
    return top;
}

void rcp_frame_hooks_set_top(rcp_emitter *e, const rcp_frame_hooks *frame, LLVMValueRef top) {
    RCP_EMIT(e, set_stack, top);
    if (frame->variable)
        LLVMSetVolatile(LLVMBuildStore(e->builder, top, frame->variable), frame->twice);
}

static LLVMValueRef masked(rcp_emitter *e, LLVMValueRef pointer, uint64_t align) {
    LLVMTypeRef types[] = {e->unit->ptr, e->unit->i64};
    LLVMValueRef arguments[] = {pointer, rcp_emit_u64(e, -align)};
    return rcp_unit_build_intrinsic(e->unit, e->builder, "llvm.ptrmask", types, 2, arguments, 2);
}

static LLVMValueRef offset(rcp_emitter *e, LLVMValueRef pointer, LLVMValueRef bytes) {
    return LLVMBuildGEP2(e->builder, e->unit->i8, pointer, &bytes, 1, "");
}

/* rcp_frame_push() in code. */
static LLVMValueRef push(rcp_emitter *e, LLVMValueRef top, LLVMValueRef size, uint64_t align) {
    top = offset(e, top, LLVMBuildNeg(e->builder, size, ""));
    return masked(e, top, align < 16 ? 16 : align);
}

/* The addresses of the static slots, from the first pushed on; the top after the last. */
static LLVMValueRef place(rcp_emitter *e, LLVMValueRef entry, const rcp_frame_slots *slots, LLVMValueRef *places) {
    bool plain = true;
    uint64_t end = 0;
    for (size_t i = 0; i < slots->len; i++) {
        plain &= slots->at[i].align <= 16;
        end = rcp_frame_push(end, slots->at[i].size, slots->at[i].align);
    }
    LLVMValueRef top = entry;
    if (!plain) {
        for (size_t i = 0; i < slots->len; i++)
            places[i] = top = push(e, top, rcp_emit_u64(e, slots->at[i].size), slots->at[i].align);
        return top;
    }
    /* The same sums, as offsets from the last, so that one register reaches all. */
    top = offset(e, entry, rcp_emit_u64(e, end));
    uint64_t at = 0;
    for (size_t i = 0; i < slots->len; i++) {
        at = rcp_frame_push(at, slots->at[i].size, slots->at[i].align);
        places[i] = offset(e, top, rcp_emit_u64(e, at - end));
    }
    return top;
}

/* A parameter in memory lives in the frame like any stack object, its shadow with it. `users` are those of the
 * function's own code. */
static void take_byval(rcp_emitter *e, const rcp_frame_slot *slot, LLVMValueRef place, const values *users) {
    LLVMValueRef size = rcp_emit_u64(e, slot->size);
    for (size_t u = 0; u < users->len; u++)
        for (unsigned o = 0, n = (unsigned)LLVMGetNumOperands(users->at[u]); o < n; o++)
            if (LLVMGetOperand(users->at[u], o) == slot->value)
                LLVMSetOperand(users->at[u], o, place);
    LLVMBuildMemCpy(e->builder, place, 16, slot->value, 1, size);
    LLVMBuildMemCpy(e->builder, rcp_emit_shadow(e, place), 16, slot->value, 1, size);
}

static void find_users(const rcp_frame_slots *slots, values *users) {
    for (size_t i = 0; i < slots->len && !LLVMIsAAllocaInst(slots->at[i].value); i++)
        for (LLVMUseRef use = LLVMGetFirstUse(slots->at[i].value); use; use = LLVMGetNextUse(use))
            rcp_vec_push(users, LLVMGetUser(use));
}

static void write_dynamic(rcp_emitter *e, const rcp_frame_hooks *frame, LLVMValueRef alloca) {
    rcp_emit_before(e, alloca);
    LLVMValueRef count = LLVMBuildIntCast2(e->builder, LLVMGetOperand(alloca, 0), e->unit->i64, false, "");
    LLVMValueRef size = LLVMBuildMul(e->builder, count, rcp_emit_u64(e, rcp_frame_unit(alloca, e->unit->layout)), "");
    LLVMValueRef top = push(e, rcp_emit_hook(e, RCP_HOOK_stack, NULL, 0), size, LLVMGetAlignment(alloca));
    rcp_frame_hooks_set_top(e, frame, top);
    LLVMReplaceAllUsesWith(alloca, top);
    LLVMInstructionEraseFromParent(alloca);
}

static void write_argument(rcp_emitter *e, LLVMValueRef parameter) {
    LLVMTypeRef type = rcp_frame_byval(parameter);
    if (type) {
        RCP_EMIT(e, argument_wide, parameter, rcp_emit_u64(e, LLVMABISizeOfType(e->unit->layout, type)));
        return;
    }
    LLVMValueRef bits = rcp_emit_bits(e, parameter);
    if (bits)
        RCP_EMIT(e, argument, bits);
    else
        RCP_EMIT(e, argument_wide, rcp_emit_spill(e, parameter),
                 rcp_emit_u64(e, rcp_emit_size(e, LLVMTypeOf(parameter))));
}

/* Who calls? The code that follows dominates everything, so its answer serves at the exits. */
static LLVMValueRef write_entry(rcp_emitter *e) {
    LLVMValueRef self = LLVMConstPtrToInt(e->function, e->unit->i64);
    LLVMBasicBlockRef body = LLVMGetEntryBasicBlock(e->function);
    LLVMBasicBlockRef ask = LLVMInsertBasicBlockInContext(e->unit->context, body, "");
    LLVMBasicBlockRef called = LLVMAppendBasicBlockInContext(e->unit->context, e->function, "");
    LLVMPositionBuilderAtEnd(e->builder, ask);
    LLVMValueRef called_back = RCP_EMIT(e, enter, self);
    LLVMBuildCondBr(e->builder, called_back, called, body);
    LLVMPositionBuilderAtEnd(e->builder, called);
    unsigned n = LLVMCountParams(e->function);
    RCP_EMIT(e, callback, self, rcp_emit_u32(e, n));
    for (unsigned i = 0; i < n; i++)
        write_argument(e, LLVMGetParam(e->function, i));
    rcp_emit_hook(e, RCP_HOOK_entered, NULL, 0);
    LLVMBuildBr(e->builder, body);
    return called_back;
}

static void write_exits(rcp_emitter *e, const rcp_frame_hooks *frame) {
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(e->function); b; b = LLVMGetNextBasicBlock(b)) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(b);
        bool returns = LLVMIsAReturnInst(end);
        if (!returns && !LLVMIsAResumeInst(end))
            continue;
        rcp_emit_before(e, end);
        if (frame->moved)
            RCP_EMIT(e, set_stack, frame->entry);
        if (returns && frame->called_back)
            RCP_EMIT(e, exit_if, frame->called_back);
    }
}

typedef struct frame_needs {
    values dynamic;
    bool stack, depth, moves;
} frame_needs;

static void find_needs(LLVMValueRef function, const rcp_steps *steps, frame_needs *n, bool *twice) {
    for (size_t i = 0; i < steps->len; i++) {
        const rcp_step *step = &steps->at[i];
        bool again = step->kind == RCP_STEP_LEAVE && rcp_steps_returns_twice(step->instruction);
        *twice |= again;
        n->stack |= again || step->kind == RCP_STEP_LANDING;
        n->moves |= step->kind == RCP_STEP_RESTORE;
    }
    n->depth = n->stack;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if (LLVMIsAAllocaInst(i) && !rcp_frame_is_static(i))
                rcp_vec_push(&n->dynamic, i);
    n->moves |= n->dynamic.len > 0;
    n->stack |= n->moves;
}

void rcp_frame_hooks_write(rcp_emitter *e, rcp_frame_hooks *frame, const rcp_steps *steps, bool reachable) {
    *frame = (rcp_frame_hooks){0};
    frame_needs needs = {0};
    rcp_frame_slots slots = {0};
    find_needs(e->function, steps, &needs, &frame->twice);
    rcp_frame_slots_of(e->function, e->unit->layout, &slots);
    values users = {0};
    find_users(&slots, &users);
    needs.stack |= slots.len > 0;
    frame->moved = slots.len || needs.moves;

    LLVMValueRef first = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(e->function));
    LLVMSetCurrentDebugLocation2(e->builder, NULL);
    if (reachable)
        frame->called_back = write_entry(e);
    LLVMPositionBuilderBefore(e->builder, first);
    if (needs.stack)
        frame->entry = frame->top = rcp_emit_hook(e, RCP_HOOK_stack, NULL, 0);
    if (needs.depth)
        frame->depth = rcp_emit_hook(e, RCP_HOOK_depth, NULL, 0);
    values places = {0};
    if (slots.len) {
        LLVMValueRef *at = rcp_vec_extend(&places, slots.len);
        frame->top = place(e, frame->entry, &slots, at);
        RCP_EMIT(e, set_stack, frame->top);
        for (size_t i = 0; i < slots.len; i++)
            if (!LLVMIsAAllocaInst(slots.at[i].value))
                take_byval(e, &slots.at[i], at[i], &users);
    }
    if (needs.moves) {
        frame->variable = rcp_emit_temporary(e, 8);
        LLVMSetVolatile(LLVMBuildStore(e->builder, frame->top, frame->variable), frame->twice);
    }
    for (size_t i = 0; i < slots.len; i++)
        if (LLVMIsAAllocaInst(slots.at[i].value)) {
            LLVMReplaceAllUsesWith(slots.at[i].value, places.at[i]);
            LLVMInstructionEraseFromParent(slots.at[i].value);
        }
    for (size_t i = 0; i < needs.dynamic.len; i++)
        write_dynamic(e, frame, needs.dynamic.at[i]);
    write_exits(e, frame);
    rcp_vec_finish(&places);
    rcp_vec_finish(&users);
    rcp_vec_finish(&slots);
    rcp_vec_finish(&needs.dynamic);
}
