/* SPDX-License-Identifier: Apache-2.0 */
/* Memory: loads, stores, atomics, addresses, stack objects. */
#include "program/ir/state.h"
#include "program/ir/frame.h"

static bool is_atomic(LLVMValueRef access) { return LLVMGetOrdering(access) != LLVMAtomicOrderingNotAtomic; }

/* 0 to 3 for what has 1, 2, 4 or 8 bytes and all its bits in them; else -1. i1 has a byte. */
static int log2_of(rcp_decoding *d, LLVMTypeRef type) {
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    if (kind == LLVMStructTypeKind || kind == LLVMArrayTypeKind || kind == LLVMVectorTypeKind)
        return -1;
    switch (RCP_SCALAR_BITS(rcp_scalar_of(d, type))) {
    case 1:
    case 8: return 0;
    case 16: return 1;
    case 32: return 2;
    case 64: return 3;
    default: return -1;
    }
}

static void decode_load(rcp_decoding *d, LLVMValueRef i) {
    const rcp_step *step = rcp_step_of(d, i);
    LLVMTypeRef type = LLVMTypeOf(i);
    int log2 = log2_of(d, type);
    if (!rcp_slots_of(d, type)) {
        rcp_refuse_decode(d, "a load of nothing");
        return;
    }
    int32_t to = rcp_slot(d, i), address = rcp_slot(d, LLVMGetOperand(i, 0));
    uint32_t layout = log2 < 0 ? rcp_layout_of(d, type) : 0;
    rcp_ins_op op = step ? (log2 < 0 ? RCP_INS_LOAD_WIDE : (rcp_ins_op)(RCP_INS_LOAD_8 + log2))
                         : (log2 < 0 ? RCP_INS_PLAIN_LOAD_WIDE : (rcp_ins_op)(RCP_INS_PLAIN_LOAD_8 + log2));
    rcp_ins *load = rcp_emit(d, op, to, address, (int32_t)layout);
    load->c = step ? (int32_t)step->left : 0;
    load->e = is_atomic(i);
    load->k = rcp_steps_has_metadata(i, RCP_STEPS_PADDING);
}

static void decode_store(rcp_decoding *d, LLVMValueRef i) {
    const rcp_step *step = rcp_step_of(d, i);
    LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(i, 0));
    int log2 = log2_of(d, type);
    if (!rcp_slots_of(d, type)) {
        rcp_refuse_decode(d, "a store of nothing");
        return;
    }
    int32_t value = rcp_slot(d, LLVMGetOperand(i, 0)), address = rcp_slot(d, LLVMGetOperand(i, 1));
    uint32_t layout = log2 < 0 ? rcp_layout_of(d, type) : 0;
    rcp_ins_op op = log2 < 0 ? RCP_INS_STORE_WIDE : (rcp_ins_op)(RCP_INS_STORE_8 + log2);
    rcp_ins *store = rcp_emit(d, op, value, address, (int32_t)layout);
    store->c = (int32_t)step->left;
    store->e = is_atomic(i);
}

static bool rmw_of(LLVMAtomicRMWBinOp op, rcp_binary *binary) {
    switch (op) {
    case LLVMAtomicRMWBinOpXchg: *binary = RCP_BIN_XCHG; return true;
    case LLVMAtomicRMWBinOpAdd: *binary = RCP_BIN_ADD; return true;
    case LLVMAtomicRMWBinOpSub: *binary = RCP_BIN_SUB; return true;
    case LLVMAtomicRMWBinOpAnd: *binary = RCP_BIN_AND; return true;
    case LLVMAtomicRMWBinOpNand: *binary = RCP_BIN_NAND; return true;
    case LLVMAtomicRMWBinOpOr: *binary = RCP_BIN_OR; return true;
    case LLVMAtomicRMWBinOpXor: *binary = RCP_BIN_XOR; return true;
    case LLVMAtomicRMWBinOpMax: *binary = RCP_BIN_SMAX; return true;
    case LLVMAtomicRMWBinOpMin: *binary = RCP_BIN_SMIN; return true;
    case LLVMAtomicRMWBinOpUMax: *binary = RCP_BIN_UMAX; return true;
    case LLVMAtomicRMWBinOpUMin: *binary = RCP_BIN_UMIN; return true;
    case LLVMAtomicRMWBinOpUIncWrap: *binary = RCP_BIN_UINC_WRAP; return true;
    case LLVMAtomicRMWBinOpUDecWrap: *binary = RCP_BIN_UDEC_WRAP; return true;
    case LLVMAtomicRMWBinOpFAdd: *binary = RCP_BIN_FADD; return true;
    case LLVMAtomicRMWBinOpFSub: *binary = RCP_BIN_FSUB; return true;
    case LLVMAtomicRMWBinOpFMax: *binary = RCP_BIN_MAXNUM; return true;
    case LLVMAtomicRMWBinOpFMin: *binary = RCP_BIN_MINNUM; return true;
    default: return false;
    }
}

static void decode_rmw(rcp_decoding *d, LLVMValueRef i) {
    LLVMTypeRef type = LLVMTypeOf(i);
    rcp_scalar scalar = rcp_scalar_of(d, type);
    rcp_binary op;
    if (!rmw_of(LLVMGetAtomicRMWBinOp(i), &op) || RCP_SCALAR_BITS(scalar) % 8 || rcp_lanes_of(type) != 1) {
        rcp_refuse_decode(d, "an atomic operation (LLVM's %d)", (int)LLVMGetAtomicRMWBinOp(i));
        return;
    }
    d->routine->rounds |= RCP_SCALAR_KIND(scalar) != RCP_SCALAR_INT;
    rcp_ins *rmw =
        rcp_emit(d, RCP_INS_RMW, rcp_slot(d, i), rcp_slot(d, LLVMGetOperand(i, 0)), rcp_slot(d, LLVMGetOperand(i, 1)));
    rmw->k = (uint16_t)op;
    rmw->c = (int32_t)rcp_step_of(d, i)->left;
    rmw->e = (int32_t)scalar;
}

static void decode_exchange(rcp_decoding *d, LLVMValueRef i) {
    rcp_scalar scalar = rcp_scalar_of(d, LLVMTypeOf(LLVMGetOperand(i, 1)));
    if (RCP_SCALAR_BITS(scalar) % 8) {
        rcp_refuse_decode(d, "a compare-and-exchange of %u bits", RCP_SCALAR_BITS(scalar));
        return;
    }
    int32_t desired = rcp_slot(d, LLVMGetOperand(i, 2));
    rcp_ins *exchange = rcp_emit(d, RCP_INS_EXCHANGE, rcp_slot(d, i), rcp_slot(d, LLVMGetOperand(i, 0)),
                                 rcp_slot(d, LLVMGetOperand(i, 1)));
    exchange->k = (uint16_t)(RCP_SCALAR_BITS(scalar) / 8);
    exchange->c = (int32_t)rcp_step_of(d, i)->left;
    exchange->e = desired;
}

/* Adds one index: `to` = `base` + index * size. */
static int32_t emit_index(rcp_decoding *d, int32_t to, int32_t base, LLVMValueRef index, int32_t lane, uint64_t size) {
    rcp_scalar scalar = rcp_scalar_of(d, LLVMTypeOf(index));
    int32_t slot = rcp_slot(d, index) + lane * (int32_t)RCP_SCALAR_SLOTS(scalar);
    rcp_ins *scale = rcp_emit(d, RCP_INS_SCALE, to, base, slot);
    scale->k = (uint16_t)(RCP_SCALAR_BITS(scalar) >= 64 ? 0 : 64 - RCP_SCALAR_BITS(scalar));
    scale->x = (int64_t)size;
    return to;
}

/* One lane of an address: where an operand is a vector, that lane of it. */
static void emit_address(rcp_decoding *d, LLVMValueRef i, int32_t to, int32_t lane) {
    LLVMValueRef pointer = LLVMGetOperand(i, 0);
    bool by_lane = LLVMGetTypeKind(LLVMTypeOf(pointer)) == LLVMVectorTypeKind;
    int32_t base = rcp_slot(d, pointer) + (by_lane ? lane : 0);
    LLVMTypeRef type = LLVMGetGEPSourceElementType(i);
    uint64_t offset = 0;
    for (int k = 1, n = LLVMGetNumOperands(i); k < n; k++) {
        LLVMValueRef index = LLVMGetOperand(i, (unsigned)k);
        bool is_vector = LLVMGetTypeKind(LLVMTypeOf(index)) == LLVMVectorTypeKind;
        if (k > 1 && LLVMGetTypeKind(type) == LLVMStructTypeKind) {
            if (is_vector)
                index = LLVMGetAggregateElement(index, 0);
            unsigned field = (unsigned)LLVMConstIntGetZExtValue(index);
            offset += LLVMOffsetOfElement(d->data, type, field);
            type = LLVMStructGetTypeAtIndex(type, field);
            continue;
        }
        if (k > 1)
            type = LLVMGetElementType(type);
        uint64_t size = LLVMABISizeOfType(d->data, type);
        if (LLVMIsAConstantInt(index))
            offset += (uint64_t)LLVMConstIntGetSExtValue(index) * size;
        else
            base = emit_index(d, to, base, index, is_vector ? lane : 0, size);
    }
    if (offset)
        rcp_emit(d, RCP_INS_ADD_X, to, base, 0)->x = (int64_t)offset;
    else if (base != to)
        rcp_emit(d, RCP_INS_MOVE, to, base, 0);
}

static void decode_address(rcp_decoding *d, LLVMValueRef i) {
    int32_t to = rcp_slot(d, i);
    for (int32_t lane = 0, n = (int32_t)rcp_lanes_of(LLVMTypeOf(i)); lane < n; lane++)
        emit_address(d, i, to + lane, lane);
}

static void decode_alloca(rcp_decoding *d, LLVMValueRef i) {
    if (rcp_frame_is_static(i))
        return; /* FRAME has it */
    LLVMValueRef count = LLVMGetOperand(i, 0);
    unsigned align = LLVMGetAlignment(i);
    if (rcp_slots_of(d, LLVMTypeOf(count)) != 1) {
        rcp_refuse_decode(d, "an alloca of a 128-bit count");
        return;
    }
    rcp_ins *dynamic = rcp_emit(d, RCP_INS_DYNAMIC, rcp_slot(d, i), rcp_slot(d, count), 0);
    dynamic->k = (uint16_t)__builtin_ctz(align < 16 ? 16 : align);
    dynamic->x = (int64_t)rcp_frame_unit(i, d->data);
}

bool rcp_decode_memory(rcp_decoding *d, LLVMValueRef i, LLVMOpcode op) {
    switch (op) {
    case LLVMLoad: decode_load(d, i); return true;
    case LLVMStore: decode_store(d, i); return true;
    case LLVMAtomicRMW: decode_rmw(d, i); return true;
    case LLVMAtomicCmpXchg: decode_exchange(d, i); return true;
    case LLVMFence: rcp_emit(d, RCP_INS_FENCE, 0, 0, 0)->c = (int32_t)rcp_step_of(d, i)->left; return true;
    case LLVMGetElementPtr: decode_address(d, i); return true;
    case LLVMAlloca: decode_alloca(d, i); return true;
    default: return false;
    }
}
