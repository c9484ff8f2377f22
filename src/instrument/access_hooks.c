/* SPDX-License-Identifier: Apache-2.0 */
#include "instrument/access_hooks.h"

#include "abi/hooks.h"

static LLVMValueRef what(rcp_emitter *e, unsigned kind, unsigned log2_size, const rcp_step *step) {
    bool is_plain = (kind == RCP_WHAT_LOAD || kind == RCP_WHAT_STORE) &&
                    LLVMGetOrdering(step->instruction) == LLVMAtomicOrderingNotAtomic;
    return rcp_emit_u32(e, RCP_WHAT(kind, log2_size, step->left) | (is_plain ? 0 : RCP_WHAT_ATOMIC));
}

static void stop_wide(rcp_emitter *e, unsigned kind, LLVMTypeRef type, const rcp_step *step, LLVMValueRef precise,
                      LLVMValueRef address) {
    RCP_EMIT(e, stop_detail_if, precise, address, rcp_emit_u64(e, rcp_emit_size(e, type)),
             what(e, kind, RCP_WHAT_WIDE, step));
}

static rcp_hook sized(rcp_access access, rcp_hook first, unsigned log2_size) {
    switch (access) { /* load_8, 16, 32, 64, ptr, f32, f64, and the same of stores */
    case RCP_ACCESS_PTR: return first + 4;
    case RCP_ACCESS_F32: return first + 5;
    case RCP_ACCESS_F64: return first + 6;
    default: return first + log2_size;
    }
}

void rcp_access_hooks_load(rcp_emitter *e, const rcp_step *step, LLVMValueRef precise) {
    LLVMValueRef load = step->instruction;
    LLVMTypeRef type = LLVMTypeOf(load);
    unsigned log2_size;
    rcp_access access = rcp_emit_access(e, type, &log2_size);
    rcp_emit_before(e, load);
    LLVMValueRef address = rcp_emit_address(e, LLVMGetOperand(load, 0));
    LLVMValueRef shadow = rcp_emit_shadow(e, LLVMGetOperand(load, 0));
    if (rcp_emit_is_private(e, load))
        LLVMSetOperand(load, 0, shadow); /* what is loaded is then the same as the shadow, as LLVM sees, too */
    if (access == RCP_ACCESS_WIDE) {
        stop_wide(e, RCP_WHAT_LOAD, type, step, precise, address);
        rcp_emit_after(e, load);
        RCP_EMIT(e, load_wide, address, shadow, rcp_emit_spill(e, load), rcp_emit_u64(e, rcp_emit_size(e, type)),
                 precise, rcp_emit_u32(e, step->left));
        return;
    }
    rcp_emit_after(e, load);
    LLVMValueRef seen = access == RCP_ACCESS_INT ? rcp_emit_to_int(e, load, log2_size) : load;
    LLVMValueRef arguments[] = {address, shadow, seen, precise, what(e, RCP_WHAT_LOAD, log2_size, step)};
    LLVMValueRef value = rcp_emit_hook(e, sized(access, RCP_HOOK_load_8, log2_size), arguments, 5);
    if (access == RCP_ACCESS_INT)
        value = rcp_emit_from_int(e, value, type);
    /* Everybody takes the hook's value, but for what leads to the hook. */
    LLVMValueRef first = LLVMGetNextInstruction(load);
    LLVMReplaceAllUsesWith(load, value);
    LLVMSetOperand(first, seen == load ? 2 : 0, load);
}

void rcp_access_hooks_store(rcp_emitter *e, const rcp_step *step, LLVMValueRef precise) {
    LLVMValueRef store = step->instruction, value = LLVMGetOperand(store, 0);
    unsigned log2_size;
    rcp_access access = rcp_emit_access(e, LLVMTypeOf(value), &log2_size);
    rcp_emit_before(e, store);
    LLVMValueRef address = rcp_emit_address(e, LLVMGetOperand(store, 1));
    LLVMValueRef shadow = rcp_emit_shadow(e, LLVMGetOperand(store, 1));
    if (access == RCP_ACCESS_WIDE) {
        stop_wide(e, RCP_WHAT_STORE, LLVMTypeOf(value), step, precise, address);
        RCP_EMIT(e, store_wide, address, shadow, rcp_emit_spill(e, value),
                 rcp_emit_u64(e, rcp_emit_size(e, LLVMTypeOf(value))), precise);
        return;
    }
    if (access == RCP_ACCESS_INT)
        value = rcp_emit_to_int(e, value, log2_size);
    LLVMValueRef arguments[] = {address, shadow, value, precise, what(e, RCP_WHAT_STORE, log2_size, step)};
    rcp_emit_hook(e, sized(access, RCP_HOOK_store_8, log2_size), arguments, 5);
}

static LLVMValueRef chosen(rcp_emitter *e, LLVMIntPredicate predicate, LLVMValueRef old, LLVMValueRef operand) {
    return LLVMBuildSelect(e->builder, LLVMBuildICmp(e->builder, predicate, old, operand, ""), old, operand, "");
}

static LLVMValueRef extreme(rcp_emitter *e, const char *intrinsic, LLVMValueRef old, LLVMValueRef operand) {
    LLVMTypeRef type = LLVMTypeOf(old);
    LLVMValueRef arguments[] = {old, operand};
    return rcp_unit_build_intrinsic(e->unit, e->builder, intrinsic, &type, 1, arguments, 2);
}

/* What the operation leaves in memory. */
static LLVMValueRef modified(rcp_emitter *e, LLVMAtomicRMWBinOp op, LLVMValueRef old, LLVMValueRef operand) {
    LLVMBuilderRef b = e->builder;
    LLVMTypeRef type = LLVMTypeOf(old);
    switch (op) {
    case LLVMAtomicRMWBinOpXchg: return operand;
    case LLVMAtomicRMWBinOpAdd: return LLVMBuildAdd(b, old, operand, "");
    case LLVMAtomicRMWBinOpSub: return LLVMBuildSub(b, old, operand, "");
    case LLVMAtomicRMWBinOpAnd: return LLVMBuildAnd(b, old, operand, "");
    case LLVMAtomicRMWBinOpNand: return LLVMBuildNot(b, LLVMBuildAnd(b, old, operand, ""), "");
    case LLVMAtomicRMWBinOpOr: return LLVMBuildOr(b, old, operand, "");
    case LLVMAtomicRMWBinOpXor: return LLVMBuildXor(b, old, operand, "");
    case LLVMAtomicRMWBinOpMax: return chosen(e, LLVMIntSGT, old, operand);
    case LLVMAtomicRMWBinOpMin: return chosen(e, LLVMIntSLT, old, operand);
    case LLVMAtomicRMWBinOpUMax: return chosen(e, LLVMIntUGT, old, operand);
    case LLVMAtomicRMWBinOpUMin: return chosen(e, LLVMIntULT, old, operand);
    case LLVMAtomicRMWBinOpFAdd: return LLVMBuildFAdd(b, old, operand, "");
    case LLVMAtomicRMWBinOpFSub: return LLVMBuildFSub(b, old, operand, "");
    case LLVMAtomicRMWBinOpFMax: return extreme(e, "llvm.maxnum", old, operand);
    case LLVMAtomicRMWBinOpFMin: return extreme(e, "llvm.minnum", old, operand);
    case LLVMAtomicRMWBinOpUIncWrap:
        return LLVMBuildSelect(b, LLVMBuildICmp(b, LLVMIntUGE, old, operand, ""), LLVMConstNull(type),
                               LLVMBuildAdd(b, old, LLVMConstInt(type, 1, false), ""), "");
    case LLVMAtomicRMWBinOpUDecWrap: {
        LLVMValueRef wraps = LLVMBuildOr(b, LLVMBuildICmp(b, LLVMIntEQ, old, LLVMConstNull(type), ""),
                                         LLVMBuildICmp(b, LLVMIntUGT, old, operand, ""), "");
        return LLVMBuildSelect(b, wraps, operand, LLVMBuildSub(b, old, LLVMConstInt(type, 1, false), ""), "");
    }
    }
    RCP_CHECK(!"an atomic operation that LLVM 19 has and we do not know");
    return NULL;
}

/* What a compare-and-exchange compares with, as hooks take it. */
static LLVMValueRef compared(rcp_emitter *e, LLVMValueRef exchange, unsigned log2_size, bool is_wide) {
    LLVMValueRef value = LLVMGetOperand(exchange, 1);
    if (is_wide)
        return rcp_emit_address(e, rcp_emit_spill(e, value));
    return LLVMBuildZExt(e->builder, rcp_emit_to_int(e, value, log2_size), e->unit->i64, "");
}

void rcp_access_hooks_atomic(rcp_emitter *e, const rcp_step *step, LLVMValueRef precise) {
    LLVMValueRef i = step->instruction;
    bool exchange = step->kind == RCP_STEP_CMPXCHG;
    LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(i, 1));
    unsigned log2_size;
    rcp_access access = rcp_emit_access(e, type, &log2_size);
    bool is_wide = access == RCP_ACCESS_WIDE;
    LLVMValueRef kind = what(e, exchange ? RCP_WHAT_EXCHANGE : RCP_WHAT_RMW, is_wide ? RCP_WHAT_WIDE : log2_size, step);
    rcp_emit_before(e, i);
    LLVMValueRef address = rcp_emit_address(e, LLVMGetOperand(i, 0));
    LLVMValueRef shadow = rcp_emit_shadow(e, LLVMGetOperand(i, 0));
    if (exchange)
        RCP_EMIT(e, stop_detail_if, precise, address, compared(e, i, log2_size, is_wide), kind);
    else if (is_wide)
        stop_wide(e, RCP_WHAT_RMW, type, step, precise, address);
    else
        RCP_EMIT(e, stop_if, precise, address, kind);
    rcp_emit_after(e, i);
    LLVMValueRef old, new;
    if (exchange) {
        old = LLVMBuildExtractValue(e->builder, i, 0, "");
        new = LLVMBuildSelect(e->builder, LLVMBuildExtractValue(e->builder, i, 1, ""), LLVMGetOperand(i, 2), old, "");
    } else {
        old = i;
        new = modified(e, LLVMGetAtomicRMWBinOp(i), old, LLVMGetOperand(i, 1));
    }
    if (is_wide) {
        LLVMValueRef size = rcp_emit_u64(e, rcp_emit_size(e, type));
        RCP_EMIT(e, load_wide, address, shadow, rcp_emit_spill(e, old), size, precise, rcp_emit_u32(e, step->left));
        RCP_EMIT(e, store_wide, address, shadow, rcp_emit_spill(e, new), size, precise);
        return;
    }
    LLVMValueRef arguments[] = {address, shadow, rcp_emit_to_int(e, old, log2_size), rcp_emit_to_int(e, new, log2_size),
                                kind};
    rcp_emit_hook(e, RCP_HOOK_exchanged_8 + log2_size, arguments, 5);
}

static LLVMValueRef length(rcp_emitter *e, LLVMValueRef call) {
    return LLVMBuildIntCast2(e->builder, LLVMGetArgOperand(call, 2), e->unit->i64, false, "");
}

void rcp_access_hooks_copy(rcp_emitter *e, LLVMValueRef call) {
    rcp_emit_before(e, call);
    RCP_EMIT(e, copy, rcp_emit_address(e, LLVMGetArgOperand(call, 0)), rcp_emit_address(e, LLVMGetArgOperand(call, 1)),
             length(e, call));
}

void rcp_access_hooks_fill(rcp_emitter *e, LLVMValueRef call) {
    rcp_emit_before(e, call);
    RCP_EMIT(e, fill, rcp_emit_address(e, LLVMGetArgOperand(call, 0)),
             LLVMBuildZExt(e->builder, LLVMGetArgOperand(call, 1), e->unit->i64, ""), length(e, call));
}
