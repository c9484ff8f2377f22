/* SPDX-License-Identifier: Apache-2.0 */
#include "instrument/strict.h"

#include "program/ir/steps.h"

#include <string.h>

static LLVMTypeRef scalar_of(LLVMTypeRef type) {
    return LLVMGetTypeKind(type) == LLVMVectorTypeKind ? LLVMGetElementType(type) : type;
}

/* `value` in every lane. */
static LLVMValueRef number(LLVMTypeRef type, uint64_t value) {
    LLVMValueRef one = LLVMConstInt(scalar_of(type), value, false);
    if (LLVMGetTypeKind(type) != LLVMVectorTypeKind)
        return one;
    unsigned n = LLVMGetVectorSize(type);
    LLVMValueRef small[64];
    if (n > 64)
        return NULL;
    for (unsigned i = 0; i < n; i++)
        small[i] = one;
    return LLVMConstVector(small, n);
}

static bool is_constant_below(LLVMValueRef value, uint64_t bound) {
    return LLVMIsAConstantInt(value) && LLVMGetIntTypeWidth(LLVMTypeOf(value)) <= 64 &&
           LLVMConstIntGetZExtValue(value) < bound;
}

static LLVMValueRef modulo(LLVMBuilderRef builder, LLVMValueRef value, uint64_t bound) {
    LLVMTypeRef type = LLVMTypeOf(value);
    unsigned width = LLVMGetIntTypeWidth(scalar_of(type));
    if (width < 64 && bound >> width)
        return value; /* can't be that large */
    return bound & (bound - 1) ? LLVMBuildURem(builder, value, number(type, bound), "")
                               : LLVMBuildAnd(builder, value, number(type, bound - 1), "");
}

static void bound_shift(LLVMBuilderRef builder, LLVMValueRef i) {
    unsigned width = LLVMGetIntTypeWidth(scalar_of(LLVMTypeOf(i)));
    LLVMValueRef amount = LLVMGetOperand(i, 1);
    if (!is_constant_below(amount, width))
        LLVMSetOperand(i, 1, modulo(builder, amount, width));
}

static void bound_index(LLVMBuilderRef builder, LLVMValueRef i, unsigned operand) {
    unsigned length = LLVMGetVectorSize(LLVMTypeOf(LLVMGetOperand(i, 0)));
    LLVMValueRef index = LLVMGetOperand(i, operand);
    if (!is_constant_below(index, length))
        LLVMSetOperand(i, operand, modulo(builder, index, length));
}

static LLVMValueRef convert(rcp_pass_unit *unit, LLVMBuilderRef builder, LLVMValueRef i, const char *name) {
    LLVMValueRef from = LLVMGetOperand(i, 0);
    LLVMTypeRef types[] = {LLVMTypeOf(i), LLVMTypeOf(from)};
    return rcp_unit_build_intrinsic(unit, builder, name, types, 2, &from, 1);
}

/* What aarch64's divider gives: x/0 = 0, x%0 = x, and the one quotient that does not fit wraps. x86_64's faults: the
 * pass sees to that, because it needs a branch. */
static LLVMValueRef divide(LLVMBuilderRef builder, LLVMValueRef i) {
    LLVMOpcode op = LLVMGetInstructionOpcode(i);
    bool is_signed = op == LLVMSDiv || op == LLVMSRem, rem = op == LLVMSRem || op == LLVMURem;
    LLVMValueRef x = LLVMGetOperand(i, 0), y = LLVMGetOperand(i, 1);
    LLVMTypeRef type = LLVMTypeOf(i);
    if (LLVMIsAConstantInt(y) && !LLVMIsNull(y) && y != LLVMConstAllOnes(type))
        return NULL;
    LLVMValueRef zero = LLVMConstNull(type), one = number(type, 1);
    if (!one)
        return NULL;
    LLVMValueRef by_zero = LLVMBuildICmp(builder, LLVMIntEQ, y, zero, ""), bad = by_zero, minus = NULL;
    if (is_signed) {
        minus = LLVMBuildICmp(builder, LLVMIntEQ, y, LLVMConstAllOnes(type), "");
        bad = LLVMBuildOr(builder, by_zero, minus, "");
    }
    LLVMValueRef safe = LLVMBuildSelect(builder, bad, one, y, "");
    LLVMValueRef result = LLVMBuildBinOp(builder, op, x, safe, "");
    if (is_signed && !rem)
        result = LLVMBuildSelect(builder, minus, LLVMBuildSub(builder, zero, x, ""), result, "");
    return LLVMBuildSelect(builder, by_zero, rem ? x : zero, result, "");
}

static LLVMValueRef shuffle(LLVMBuilderRef builder, LLVMValueRef i) {
    unsigned n = LLVMGetNumMaskElements(i);
    LLVMTypeRef i32 = LLVMInt32TypeInContext(LLVMGetTypeContext(LLVMTypeOf(i)));
    LLVMValueRef mask[256];
    bool any = false;
    if (n > 256)
        return NULL;
    for (unsigned e = 0; e < n; e++) {
        int from = LLVMGetMaskValue(i, e);
        any |= from < 0;
        mask[e] = LLVMConstInt(i32, from < 0 ? 0 : (unsigned)from, false);
    }
    return any ? LLVMBuildShuffleVector(builder, LLVMGetOperand(i, 0), LLVMGetOperand(i, 1), LLVMConstVector(mask, n),
                                        "")
               : NULL;
}

static bool has_feature(LLVMValueRef i, const char *feature) {
    LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(i));
    LLVMAttributeRef features =
        LLVMGetStringAttributeAtIndex(function, LLVMAttributeFunctionIndex, "target-features", 15);
    unsigned len = 0;
    const char *list = features ? LLVMGetStringAttributeValue(features, &len) : "";
    size_t n = strlen(feature);
    for (const char *at = list; at + n <= list + len; at++)
        if (!memcmp(at, feature, n) && (at + n == list + len || at[n] == ','))
            return true;
    return false;
}

/* Does the back end make one instruction of llvm.fmuladd, rounding once? Else it multiplies and adds. */
static bool has_fma(rcp_pass_unit *unit, LLVMValueRef i) {
    LLVMTypeRef type = LLVMTypeOf(i);
    if (LLVMGetTypeKind(type) == LLVMVectorTypeKind)
        type = LLVMGetElementType(type);
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    if (kind == LLVMHalfTypeKind)
        return unit->arch == RCP_ARCH_AARCH64 && has_feature(i, "+fullfp16");
    if (kind != LLVMFloatTypeKind && kind != LLVMDoubleTypeKind)
        return false;
    return unit->arch == RCP_ARCH_AARCH64 || has_feature(i, "+fma");
}

static LLVMValueRef fmuladd(rcp_pass_unit *unit, LLVMBuilderRef builder, LLVMValueRef i) {
    LLVMValueRef arguments[] = {LLVMGetArgOperand(i, 0), LLVMGetArgOperand(i, 1), LLVMGetArgOperand(i, 2)};
    LLVMTypeRef type = LLVMTypeOf(i);
    if (has_fma(unit, i))
        return rcp_unit_build_intrinsic(unit, builder, "llvm.fma", &type, 1, arguments, 3);
    return LLVMBuildFAdd(builder, LLVMBuildFMul(builder, arguments[0], arguments[1], ""), arguments[2], "");
}

static LLVMValueRef replace_call(rcp_pass_unit *unit, LLVMBuilderRef builder, LLVMValueRef i) {
    static const char *const first_argument[] = {"llvm.launder.invariant.group",
                                                 "llvm.strip.invariant.group",
                                                 "llvm.expect",
                                                 "llvm.expect.with.probability",
                                                 "llvm.annotation",
                                                 "llvm.ptr.annotation",
                                                 "llvm.arithmetic.fence",
                                                 "llvm.ssa.copy"};
    static const char *const flag_of_poison[] = {"llvm.ctlz", "llvm.cttz", "llvm.abs"};
    LLVMValueRef callee = LLVMIsAFunction(LLVMGetCalledValue(i));
    if (!callee || !LLVMGetIntrinsicID(callee))
        return NULL;
    for (size_t n = 0; n < sizeof first_argument / sizeof *first_argument; n++)
        if (rcp_steps_calls_intrinsic(i, first_argument[n]))
            return LLVMGetArgOperand(i, 0);
    for (size_t n = 0; n < sizeof flag_of_poison / sizeof *flag_of_poison; n++)
        if (rcp_steps_calls_intrinsic(i, flag_of_poison[n]))
            LLVMSetOperand(i, 1, LLVMConstInt(unit->i1, 0, false));
    return rcp_steps_calls_intrinsic(i, "llvm.fmuladd") ? fmuladd(unit, builder, i) : NULL;
}

bool rcp_strict_is_hint(LLVMValueRef call) {
    static const char *const hints[] = {"llvm.assume",        "llvm.lifetime.start",
                                        "llvm.lifetime.end",  "llvm.invariant.end",
                                        "llvm.sideeffect",    "llvm.experimental.noalias.scope.decl",
                                        "llvm.var.annotation"};
    if (LLVMGetTypeKind(LLVMTypeOf(call)) != LLVMVoidTypeKind)
        return rcp_steps_calls_intrinsic(call, "llvm.invariant.start") && !LLVMGetFirstUse(call);
    for (size_t n = 0; n < sizeof hints / sizeof *hints; n++)
        if (rcp_steps_calls_intrinsic(call, hints[n]))
            return true;
    return false;
}

LLVMValueRef rcp_strict_replace(rcp_pass_unit *unit, LLVMBuilderRef builder, LLVMValueRef i) {
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMShl:
    case LLVMLShr:
    case LLVMAShr: bound_shift(builder, i); return NULL;
    case LLVMExtractElement: bound_index(builder, i, 1); return NULL;
    case LLVMInsertElement: bound_index(builder, i, 2); return NULL;
    case LLVMFPToSI: return convert(unit, builder, i, "llvm.fptosi.sat");
    case LLVMFPToUI: return convert(unit, builder, i, "llvm.fptoui.sat");
    case LLVMSDiv:
    case LLVMUDiv:
    case LLVMSRem:
    case LLVMURem: return unit->arch == RCP_ARCH_AARCH64 ? divide(builder, i) : NULL;
    case LLVMShuffleVector: return shuffle(builder, i);
    case LLVMFreeze: return LLVMGetOperand(i, 0);
    case LLVMCall: return replace_call(unit, builder, i);
    default: return NULL;
    }
}
