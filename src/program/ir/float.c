/* SPDX-License-Identifier: Apache-2.0 */
/* Floats: arithmetic, comparisons, conversions. Vectors lane by lane. */
#include "program/ir/state.h"

#include <string.h>

/* The sign of the NaN that 0 / 0 makes: x86 sets it, Arm does not. */
#if defined(__x86_64__)
#define HOST_NAN_SIGN 1
#else
#define HOST_NAN_SIGN 0
#endif

void rcp_emit_own_nan(rcp_decoding *d, rcp_scalar scalar, int32_t to, int32_t a, int32_t b, int32_t e) {
    const char *target = LLVMGetTarget(d->unit->module);
    int sign = strncmp(target, "x86_64", 6) == 0;
    if (!*target || sign == HOST_NAN_SIGN)
        return;
    rcp_ins *own = rcp_emit(d, RCP_INS_OWN_NAN, to, a, b);
    own->k = (uint16_t)sign;
    own->c = (int32_t)scalar;
    own->e = e;
}

static void emit_binary(rcp_decoding *d, unsigned op, rcp_scalar scalar, int32_t to, int32_t a, int32_t b) {
    bool is_double = RCP_SCALAR_KIND(scalar) == RCP_SCALAR_DOUBLE;
    if (op <= RCP_BIN_FDIV && (is_double || RCP_SCALAR_KIND(scalar) == RCP_SCALAR_FLOAT))
        rcp_emit(d, (rcp_ins_op)((is_double ? RCP_INS_FADD_64 : RCP_INS_FADD_32) + (op - RCP_BIN_FADD)), to, a, b);
    else
        rcp_emit_binary(d, (rcp_binary)op, scalar, to, a, b);
    rcp_emit_own_nan(d, scalar, to, a, b, b);
}

static void decode_binary(rcp_decoding *d, LLVMValueRef i, unsigned op) {
    LLVMTypeRef type = LLVMTypeOf(i);
    rcp_scalar scalar = rcp_scalar_of(d, type);
    int32_t to = rcp_slot(d, i), a = rcp_slot(d, LLVMGetOperand(i, 0)), b = rcp_slot(d, LLVMGetOperand(i, 1));
    int32_t step = (int32_t)RCP_SCALAR_SLOTS(scalar);
    for (int32_t k = 0, n = (int32_t)rcp_lanes_of(type); k < n; k++)
        emit_binary(d, op, scalar, to + k * step, a + k * step, b + k * step);
}

static void decode_negation(rcp_decoding *d, LLVMValueRef i) {
    LLVMTypeRef type = LLVMTypeOf(i);
    rcp_scalar scalar = rcp_scalar_of(d, type);
    int32_t to = rcp_slot(d, i), a = rcp_slot(d, LLVMGetOperand(i, 0)), step = (int32_t)RCP_SCALAR_SLOTS(scalar);
    for (int32_t k = 0, n = (int32_t)rcp_lanes_of(type); k < n; k++)
        if (step == 1)
            rcp_emit(d, RCP_INS_XOR_X, to + k, a + k, 0)->x = (int64_t)(UINT64_C(1) << (RCP_SCALAR_BITS(scalar) - 1));
        else {
            rcp_ins *negate = rcp_emit(d, RCP_INS_UNARY, to + k * step, a + k * step, 0);
            negate->k = RCP_UN_FNEG;
            negate->c = (int32_t)scalar;
        }
}

static void decode_compare(rcp_decoding *d, LLVMValueRef i) {
    LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(i, 0));
    rcp_scalar scalar = rcp_scalar_of(d, type);
    rcp_scalar_kind kind = RCP_SCALAR_KIND(scalar);
    if (!rcp_computes(d, scalar))
        return;
    int32_t to = rcp_slot(d, i), a = rcp_slot(d, LLVMGetOperand(i, 0)), b = rcp_slot(d, LLVMGetOperand(i, 1));
    int32_t step = (int32_t)RCP_SCALAR_SLOTS(scalar);
    rcp_ins_op op = kind == RCP_SCALAR_DOUBLE  ? RCP_INS_FCMP_64
                    : kind == RCP_SCALAR_FLOAT ? RCP_INS_FCMP_32
                                               : RCP_INS_COMPARE;
    for (int32_t k = 0, n = (int32_t)rcp_lanes_of(type); k < n; k++) {
        rcp_ins *compare = rcp_emit(d, op, to + k, a + k * step, b + k * step);
        compare->k = (uint16_t)LLVMGetFCmpPredicate(i);
        compare->c = (int32_t)scalar;
    }
}

static void emit_conversion(rcp_decoding *d, rcp_conversion op, rcp_scalar from, rcp_scalar scalar, int32_t to,
                            int32_t a) {
    rcp_scalar_kind kind = RCP_SCALAR_KIND(scalar), source = RCP_SCALAR_KIND(from);
    if (kind == RCP_SCALAR_DOUBLE && RCP_SCALAR_BITS(from) <= 64 && op == RCP_CONV_SI_TO_FP)
        rcp_emit(d, RCP_INS_SI_TO_64, to, a, 0)->k = (uint16_t)(64 - RCP_SCALAR_BITS(from));
    else if (kind == RCP_SCALAR_DOUBLE && RCP_SCALAR_BITS(from) <= 64 && op == RCP_CONV_UI_TO_FP)
        rcp_emit(d, RCP_INS_UI_TO_64, to, a, 0);
    else if (op == RCP_CONV_FP && kind == RCP_SCALAR_DOUBLE && source == RCP_SCALAR_FLOAT)
        rcp_emit(d, RCP_INS_F32_TO_64, to, a, 0);
    else if (op == RCP_CONV_FP && kind == RCP_SCALAR_FLOAT && source == RCP_SCALAR_DOUBLE)
        rcp_emit(d, RCP_INS_F64_TO_32, to, a, 0);
    else
        rcp_emit_conversion(d, op, from, scalar, to, a);
}

static void decode_conversion(rcp_decoding *d, LLVMValueRef i, rcp_conversion op) {
    LLVMTypeRef type = LLVMTypeOf(i), from_type = LLVMTypeOf(LLVMGetOperand(i, 0));
    rcp_scalar from = rcp_scalar_of(d, from_type), scalar = rcp_scalar_of(d, type);
    int32_t to = rcp_slot(d, i), a = rcp_slot(d, LLVMGetOperand(i, 0));
    int32_t step = (int32_t)RCP_SCALAR_SLOTS(scalar), from_step = (int32_t)RCP_SCALAR_SLOTS(from);
    for (int32_t k = 0, n = (int32_t)rcp_lanes_of(type); k < n; k++)
        emit_conversion(d, op, from, scalar, to + k * step, a + k * from_step);
}

static bool decode_float(rcp_decoding *d, LLVMValueRef i, LLVMOpcode op) {
    switch (op) {
    case LLVMFAdd: decode_binary(d, i, RCP_BIN_FADD); return true;
    case LLVMFSub: decode_binary(d, i, RCP_BIN_FSUB); return true;
    case LLVMFMul: decode_binary(d, i, RCP_BIN_FMUL); return true;
    case LLVMFDiv: decode_binary(d, i, RCP_BIN_FDIV); return true;
    case LLVMFRem: decode_binary(d, i, RCP_BIN_FREM); return true;
    case LLVMFNeg: decode_negation(d, i); return true;
    case LLVMFCmp: decode_compare(d, i); return true;
    case LLVMFPToUI: decode_conversion(d, i, RCP_CONV_FP_TO_UI); return true;
    case LLVMFPToSI: decode_conversion(d, i, RCP_CONV_FP_TO_SI); return true;
    case LLVMUIToFP: decode_conversion(d, i, RCP_CONV_UI_TO_FP); return true;
    case LLVMSIToFP: decode_conversion(d, i, RCP_CONV_SI_TO_FP); return true;
    case LLVMFPTrunc:
    case LLVMFPExt: decode_conversion(d, i, RCP_CONV_FP); return true;
    default: return false;
    }
}

bool rcp_decode_float(rcp_decoding *d, LLVMValueRef i, LLVMOpcode op) {
    bool is_float = decode_float(d, i, op);
    d->routine->rounds |= is_float && op != LLVMFNeg;
    return is_float;
}
