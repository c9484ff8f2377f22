/* SPDX-License-Identifier: Apache-2.0 */
/* Integers and pointers: arithmetic, comparisons, width changes, select. Vectors lane by lane. */
#include "program/ir/state.h"

static bool is_fast(rcp_scalar scalar) { return RCP_SCALAR_BITS(scalar) <= 64; }

void rcp_emit_binary(rcp_decoding *d, rcp_binary op, rcp_scalar scalar, int32_t to, int32_t a, int32_t b) {
    uint32_t bits = RCP_SCALAR_BITS(scalar);
    /* [op] = the operation at 64, 32 and other widths, where there is a fast one */
    static const uint16_t fast[][3] = {
        [RCP_BIN_ADD] = {RCP_INS_ADD_64, RCP_INS_ADD_32, RCP_INS_ADD},
        [RCP_BIN_SUB] = {RCP_INS_SUB_64, RCP_INS_SUB_32, RCP_INS_SUB},
        [RCP_BIN_MUL] = {RCP_INS_MUL_64, RCP_INS_MUL_32, RCP_INS_MUL},
        [RCP_BIN_UDIV] = {RCP_INS_UDIV, RCP_INS_UDIV, RCP_INS_UDIV},
        [RCP_BIN_SDIV] = {RCP_INS_SDIV, RCP_INS_SDIV, RCP_INS_SDIV},
        [RCP_BIN_UREM] = {RCP_INS_UREM, RCP_INS_UREM, RCP_INS_UREM},
        [RCP_BIN_SREM] = {RCP_INS_SREM, RCP_INS_SREM, RCP_INS_SREM},
        [RCP_BIN_SHL] = {RCP_INS_SHL, RCP_INS_SHL, RCP_INS_SHL},
        [RCP_BIN_LSHR] = {RCP_INS_LSHR, RCP_INS_LSHR, RCP_INS_LSHR},
        [RCP_BIN_ASHR] = {RCP_INS_ASHR, RCP_INS_ASHR, RCP_INS_ASHR},
        [RCP_BIN_AND] = {RCP_INS_AND, RCP_INS_AND, RCP_INS_AND},
        [RCP_BIN_OR] = {RCP_INS_OR, RCP_INS_OR, RCP_INS_OR},
        [RCP_BIN_XOR] = {RCP_INS_XOR, RCP_INS_XOR, RCP_INS_XOR},
    };
    if (op > RCP_BIN_XOR || bits > 64) {
        rcp_computes(d, scalar);
        rcp_ins *i = rcp_emit(d, RCP_INS_BINARY, to, a, b);
        i->k = (uint16_t)op;
        i->c = (int32_t)scalar;
        return;
    }
    rcp_ins *i = rcp_emit(d, fast[op][bits == 64 ? 0 : bits == 32 ? 1 : 2], to, a, b);
    i->k = (uint16_t)(64 - bits);
    i->x = (int64_t)rcp_mask(bits);
}

/* With a constant on the right the commonest need no slot for it. */
static bool emit_with_constant(rcp_decoding *d, rcp_binary op, uint32_t bits, int32_t to, int32_t a, uint64_t word) {
    uint64_t mask = rcp_mask(bits);
    int64_t number = (int64_t)(word << (64 - bits)) >> (64 - bits);
    if (op == RCP_BIN_SUB)
        number = (int64_t)-(uint64_t)number;
    switch (op) {
    case RCP_BIN_ADD:
    case RCP_BIN_SUB:
        if (bits == 64)
            rcp_emit(d, RCP_INS_ADD_X, to, a, 0)->x = number;
        else if (number >= INT32_MIN && number <= INT32_MAX)
            rcp_emit(d, RCP_INS_ADDM_X, to, a, (int32_t)number)->x = (int64_t)mask;
        else
            return false;
        return true;
    case RCP_BIN_AND: rcp_emit(d, RCP_INS_AND_X, to, a, 0)->x = (int64_t)word; return true;
    case RCP_BIN_XOR: rcp_emit(d, RCP_INS_XOR_X, to, a, 0)->x = (int64_t)word; return true;
    case RCP_BIN_SHL:
        if (word >= bits)
            return false;
        rcp_emit(d, RCP_INS_SHL_X, to, a, (int32_t)word)->x = (int64_t)mask;
        return true;
    case RCP_BIN_LSHR:
        if (word >= bits)
            return false;
        rcp_emit(d, RCP_INS_LSHR_X, to, a, (int32_t)word);
        return true;
    default: return false;
    }
}

static bool binary_of(LLVMOpcode op, rcp_binary *binary) {
    switch (op) {
    case LLVMAdd: *binary = RCP_BIN_ADD; return true;
    case LLVMSub: *binary = RCP_BIN_SUB; return true;
    case LLVMMul: *binary = RCP_BIN_MUL; return true;
    case LLVMUDiv: *binary = RCP_BIN_UDIV; return true;
    case LLVMSDiv: *binary = RCP_BIN_SDIV; return true;
    case LLVMURem: *binary = RCP_BIN_UREM; return true;
    case LLVMSRem: *binary = RCP_BIN_SREM; return true;
    case LLVMShl: *binary = RCP_BIN_SHL; return true;
    case LLVMLShr: *binary = RCP_BIN_LSHR; return true;
    case LLVMAShr: *binary = RCP_BIN_ASHR; return true;
    case LLVMAnd: *binary = RCP_BIN_AND; return true;
    case LLVMOr: *binary = RCP_BIN_OR; return true;
    case LLVMXor: *binary = RCP_BIN_XOR; return true;
    default: return false;
    }
}

/* Recorded code does not trap (instrument/strict.h): on aarch64 it divides by 1 where the program divides by 0 or -1,
 * and puts the result right afterwards. The program's own divisor is what a division is about. */
static LLVMValueRef divisor_of(LLVMValueRef y) {
    if (!LLVMIsASelectInst(y) || !LLVMIsAConstantInt(LLVMGetOperand(y, 1)))
        return y;
    LLVMValueRef bad = LLVMGetOperand(y, 0), own = LLVMGetOperand(y, 2);
    if (LLVMIsAInstruction(bad) && LLVMGetInstructionOpcode(bad) == LLVMOr)
        bad = LLVMGetOperand(bad, 0);
    bool is_ours = LLVMIsAICmpInst(bad) && LLVMGetICmpPredicate(bad) == LLVMIntEQ && LLVMGetOperand(bad, 0) == own &&
                   LLVMIsNull(LLVMGetOperand(bad, 1)) && LLVMConstIntGetZExtValue(LLVMGetOperand(y, 1)) == 1;
    return is_ours ? own : y;
}

/* Likewise it shifts modulo the width; the language has no shift by more. */
static void keep_shifting(rcp_decoding *d, LLVMValueRef amount, unsigned width) {
    if (!LLVMIsAInstruction(amount) || LLVMGetInstructionOpcode(amount) != LLVMAnd)
        return;
    LLVMValueRef own = LLVMGetOperand(amount, 0), mask = LLVMGetOperand(amount, 1);
    if (LLVMIsAConstantInt(mask) && LLVMConstIntGetZExtValue(mask) == width - 1 && !LLVMIsAConstant(own))
        rcp_emit(d, RCP_INS_BELOW, 0, rcp_slot(d, own), 0)->x = width;
}

/* And it wraps around where the language has no result (instrument/strict.h says where that was). */
static void keep_fitting(rcp_decoding *d, LLVMValueRef i, rcp_binary op, rcp_scalar scalar) {
    if (!d->unit->is_careful || !rcp_steps_has_metadata(i, RCP_STEPS_NO_WRAP))
        return;
    rcp_ins *fits = rcp_emit(d, RCP_INS_FITS, 0, rcp_slot(d, LLVMGetOperand(i, 0)), rcp_slot(d, LLVMGetOperand(i, 1)));
    fits->k = op == RCP_BIN_ADD ? RCP_OVER_SADD : op == RCP_BIN_SUB ? RCP_OVER_SSUB : RCP_OVER_SMUL;
    fits->c = (int32_t)scalar;
}

static void decode_binary(rcp_decoding *d, LLVMValueRef i, rcp_binary op) {
    LLVMTypeRef type = LLVMTypeOf(i);
    rcp_scalar scalar = rcp_scalar_of(d, type);
    LLVMValueRef left = LLVMGetOperand(i, 0), right = LLVMGetOperand(i, 1);
    uint64_t word;
    if (is_fast(scalar) && rcp_lanes_of(type) == 1) {
        if (op == RCP_BIN_UDIV || op == RCP_BIN_SDIV || op == RCP_BIN_UREM || op == RCP_BIN_SREM)
            right = divisor_of(right);
        else if (op == RCP_BIN_SHL || op == RCP_BIN_LSHR || op == RCP_BIN_ASHR)
            keep_shifting(d, right, RCP_SCALAR_BITS(scalar));
        else if (op == RCP_BIN_ADD || op == RCP_BIN_SUB || op == RCP_BIN_MUL)
            keep_fitting(d, i, op, scalar);
    }
    int32_t to = rcp_slot(d, i), a = rcp_slot(d, left);
    if (is_fast(scalar) && rcp_constant_word(d, right, &word) &&
        emit_with_constant(d, op, RCP_SCALAR_BITS(scalar), to, a, word))
        return;
    int32_t b = rcp_slot(d, right), step = (int32_t)RCP_SCALAR_SLOTS(scalar);
    for (int32_t k = 0, n = (int32_t)rcp_lanes_of(type); k < n; k++)
        rcp_emit_binary(d, op, scalar, to + k * step, a + k * step, b + k * step);
}

/* In the order of LLVM's predicates from LLVMIntEQ on, as in code.h. */
static unsigned predicate_of(LLVMValueRef compare) { return (unsigned)(LLVMGetICmpPredicate(compare) - LLVMIntEQ); }

static void decode_compare(rcp_decoding *d, LLVMValueRef i) {
    LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(i, 0));
    rcp_scalar scalar = rcp_scalar_of(d, type);
    int32_t to = rcp_slot(d, i), a = rcp_slot(d, LLVMGetOperand(i, 0)), b = rcp_slot(d, LLVMGetOperand(i, 1));
    int32_t step = (int32_t)RCP_SCALAR_SLOTS(scalar);
    for (int32_t k = 0, n = (int32_t)rcp_lanes_of(type); k < n; k++) {
        if (is_fast(scalar))
            rcp_emit(d, (rcp_ins_op)(RCP_INS_EQ + predicate_of(i)), to + k, a + k, b + k)->k =
                (uint16_t)(64 - RCP_SCALAR_BITS(scalar));
        else {
            rcp_ins *compare = rcp_emit(d, RCP_INS_COMPARE, to + k, a + k * step, b + k * step);
            compare->k = (uint16_t)LLVMGetICmpPredicate(i);
            compare->c = (int32_t)scalar;
        }
    }
}

bool rcp_is_fused(rcp_decoding *d, LLVMValueRef compare) {
    LLVMUseRef use = LLVMGetFirstUse(compare);
    if (!use || LLVMGetNextUse(use) || rcp_slots_of(d, LLVMTypeOf(LLVMGetOperand(compare, 0))) != 1)
        return false;
    LLVMValueRef user = LLVMGetUser(use);
    if (!LLVMIsABranchInst(user) || LLVMGetInstructionParent(user) != LLVMGetInstructionParent(compare))
        return false;
    uint64_t word; /* operands that can't be decoded are said to be so at the compare */
    for (unsigned i = 0; i < 2; i++)
        if (LLVMIsAConstant(LLVMGetOperand(compare, i)) && !rcp_constant_word(d, LLVMGetOperand(compare, i), &word))
            return false;
    return true;
}

void rcp_emit_conversion(rcp_decoding *d, rcp_conversion op, rcp_scalar from, rcp_scalar to_scalar, int32_t to,
                         int32_t a) {
    if (!rcp_computes(d, from) || !rcp_computes(d, to_scalar))
        return;
    rcp_ins *i = rcp_emit(d, RCP_INS_CONVERT, to, a, 0);
    i->k = (uint16_t)op;
    i->c = (int32_t)from;
    i->e = (int32_t)to_scalar;
}

static void move_row(rcp_decoding *d, int32_t to, int32_t from, uint32_t n) {
    if (n == 1)
        rcp_emit(d, RCP_INS_MOVE, to, from, 0);
    else if (n)
        rcp_emit(d, RCP_INS_MOVES, to, from, 0)->x = n;
}

static void decode_width(rcp_decoding *d, LLVMValueRef i, bool is_signed) {
    LLVMTypeRef from_type = LLVMTypeOf(LLVMGetOperand(i, 0)), type = LLVMTypeOf(i);
    rcp_scalar from = rcp_scalar_of(d, from_type), scalar = rcp_scalar_of(d, type);
    int32_t to = rcp_slot(d, i), a = rcp_slot(d, LLVMGetOperand(i, 0));
    int32_t step = (int32_t)RCP_SCALAR_SLOTS(scalar), from_step = (int32_t)RCP_SCALAR_SLOTS(from);
    for (int32_t k = 0, n = (int32_t)rcp_lanes_of(type); k < n; k++) {
        int32_t t = to + k * step, f = a + k * from_step;
        if (!is_fast(from) || !is_fast(scalar))
            rcp_emit_conversion(d, is_signed ? RCP_CONV_SEXT : RCP_CONV_ZEXT, from, scalar, t, f);
        else if (is_signed) {
            rcp_ins *sext = rcp_emit(d, RCP_INS_SEXT, t, f, 0);
            sext->k = (uint16_t)(64 - RCP_SCALAR_BITS(from));
            sext->x = (int64_t)rcp_mask(RCP_SCALAR_BITS(scalar));
        } else if (RCP_SCALAR_BITS(scalar) < RCP_SCALAR_BITS(from))
            rcp_emit(d, RCP_INS_AND_X, t, f, 0)->x = (int64_t)rcp_mask(RCP_SCALAR_BITS(scalar));
        else
            rcp_emit(d, RCP_INS_MOVE, t, f, 0);
    }
}

/* The same bits as another type. */
static void decode_bitcast(rcp_decoding *d, LLVMValueRef i) {
    LLVMTypeRef from = LLVMTypeOf(LLVMGetOperand(i, 0)), type = LLVMTypeOf(i);
    int32_t to = rcp_slot(d, i), a = rcp_slot(d, LLVMGetOperand(i, 0));
    if (rcp_lanes_of(from) == rcp_lanes_of(type) &&
        RCP_SCALAR_BITS(rcp_scalar_of(d, from)) == RCP_SCALAR_BITS(rcp_scalar_of(d, type))) {
        move_row(d, to, a, rcp_slots_of(d, type));
        return;
    }
    uint32_t source = rcp_layout_of(d, from), target = rcp_layout_of(d, type);
    rcp_emit(d, RCP_INS_RECAST, to, a, (int32_t)source)->c = (int32_t)target;
}

static void decode_select(rcp_decoding *d, LLVMValueRef i) {
    LLVMTypeRef type = LLVMTypeOf(i);
    LLVMValueRef condition = LLVMGetOperand(i, 0);
    bool by_lane =
        rcp_lanes_of(LLVMTypeOf(condition)) > 1 || LLVMGetTypeKind(LLVMTypeOf(condition)) == LLVMVectorTypeKind;
    int32_t to = rcp_slot(d, i), c = rcp_slot(d, condition);
    int32_t a = rcp_slot(d, LLVMGetOperand(i, 1)), b = rcp_slot(d, LLVMGetOperand(i, 2));
    int32_t n = (int32_t)rcp_slots_of(d, type), step = by_lane ? n / (int32_t)rcp_lanes_of(type) : 1;
    for (int32_t k = 0; k < n; k++)
        rcp_emit(d, RCP_INS_SELECT, to + k, a + k, b + k)->c = by_lane ? c + k / step : c;
}

bool rcp_decode_integer(rcp_decoding *d, LLVMValueRef i, LLVMOpcode op) {
    rcp_binary binary;
    if (binary_of(op, &binary)) {
        decode_binary(d, i, binary);
        return true;
    }
    switch (op) {
    case LLVMICmp: decode_compare(d, i); return true;
    case LLVMTrunc:
    case LLVMZExt:
    case LLVMPtrToInt:
    case LLVMIntToPtr: decode_width(d, i, false); return true;
    case LLVMSExt: decode_width(d, i, true); return true;
    case LLVMBitCast: decode_bitcast(d, i); return true;
    case LLVMAddrSpaceCast:
    case LLVMFreeze:
        move_row(d, rcp_slot(d, i), rcp_slot(d, LLVMGetOperand(i, 0)), rcp_slots_of(d, LLVMTypeOf(i)));
        return true;
    case LLVMSelect: decode_select(d, i); return true;
    default: return false;
    }
}
