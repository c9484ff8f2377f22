/* SPDX-License-Identifier: Apache-2.0 */
#include "instrument/compare_calls.h"

#include "instrument/stand_in.h"
#include "outside/outside.h"

enum { MOST = 32 }; /* bytes that are compared for equality; in order, as many as a register holds */

static bool is_zero(LLVMValueRef value) { return LLVMIsAConstantInt(value) && !LLVMConstIntGetZExtValue(value); }

/* Does the program only ask whether they are the same? */
static bool is_equality(LLVMValueRef call) {
    for (LLVMUseRef use = LLVMGetFirstUse(call); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (!LLVMIsAICmpInst(user) || !(is_zero(LLVMGetOperand(user, 0)) || is_zero(LLVMGetOperand(user, 1))))
            return false;
        LLVMIntPredicate predicate = LLVMGetICmpPredicate(user);
        if (predicate != LLVMIntEQ && predicate != LLVMIntNE)
            return false;
    }
    return true;
}

static LLVMValueRef load_at(rcp_pass_unit *unit, LLVMBuilderRef b, LLVMValueRef base, LLVMValueRef offset,
                            unsigned bytes) {
    LLVMValueRef pointer = LLVMBuildGEP2(b, unit->i8, base, &offset, 1, "");
    LLVMValueRef value = LLVMBuildLoad2(b, LLVMIntTypeInContext(unit->context, bytes * 8), pointer, "");
    LLVMSetAlignment(value, 1);
    return value;
}

static LLVMValueRef load(rcp_pass_unit *unit, LLVMBuilderRef b, LLVMValueRef base, uint64_t at, unsigned bytes) {
    return load_at(unit, b, base, LLVMConstInt(unit->i64, at, false), bytes);
}

/* 0 if all bytes are the same, 1 otherwise. */
static LLVMValueRef build_equality(rcp_pass_unit *unit, LLVMBuilderRef b, LLVMValueRef x, LLVMValueRef y, uint64_t n) {
    LLVMValueRef all = NULL;
    for (uint64_t at = 0; at < n;) {
        unsigned bytes = n - at >= 8 ? 8 : n - at >= 4 ? 4 : n - at >= 2 ? 2 : 1;
        LLVMValueRef differ = LLVMBuildXor(b, load(unit, b, x, at, bytes), load(unit, b, y, at, bytes), "");
        differ = bytes < 8 ? LLVMBuildZExt(b, differ, unit->i64, "") : differ;
        all = all ? LLVMBuildOr(b, all, differ, "") : differ;
        at += bytes;
    }
    LLVMValueRef some = LLVMBuildICmp(b, LLVMIntNE, all, LLVMConstInt(unit->i64, 0, false), "");
    return LLVMBuildZExt(b, some, unit->i32, "");
}

/* The first byte counts most: both machines have it lowest. */
static LLVMValueRef build_order(rcp_pass_unit *unit, LLVMBuilderRef b, LLVMValueRef x, LLVMValueRef y) {
    LLVMValueRef value[2] = {x, y};
    LLVMTypeRef type = LLVMTypeOf(x);
    for (int i = 0; i < 2 && type != unit->i8; i++)
        value[i] = rcp_unit_build_intrinsic(unit, b, "llvm.bswap", &type, 1, &value[i], 1);
    LLVMValueRef above = LLVMBuildZExt(b, LLVMBuildICmp(b, LLVMIntUGT, value[0], value[1], ""), unit->i32, "");
    LLVMValueRef below = LLVMBuildZExt(b, LLVMBuildICmp(b, LLVMIntULT, value[0], value[1], ""), unit->i32, "");
    return LLVMBuildSub(b, above, below, "");
}

/* A loop over pieces of so many bytes, entered from the builder's block with the offset `at`. Leaves the function where
 * a piece differs; the builder stands behind the loop, whose last offset is returned. */
static LLVMValueRef build_loop(rcp_pass_unit *unit, LLVMBuilderRef b, LLVMValueRef function, LLVMValueRef at,
                               unsigned bytes) {
    LLVMBasicBlockRef before = LLVMGetInsertBlock(b), block[4]; /* is there a piece, compare it, it differs, behind */
    for (int i = 0; i < 4; i++)
        block[i] = LLVMAppendBasicBlockInContext(unit->context, function, "");
    LLVMValueRef size = LLVMConstInt(unit->i64, bytes, false);
    LLVMBuildBr(b, block[0]);
    LLVMPositionBuilderAtEnd(b, block[0]);
    LLVMValueRef offset = LLVMBuildPhi(b, unit->i64, "");
    LLVMValueRef left = LLVMBuildSub(b, LLVMGetParam(function, 2), offset, "");
    LLVMBuildCondBr(b, LLVMBuildICmp(b, LLVMIntUGE, left, size, ""), block[1], block[3]);
    LLVMPositionBuilderAtEnd(b, block[1]);
    LLVMValueRef x = load_at(unit, b, LLVMGetParam(function, 0), offset, bytes);
    LLVMValueRef y = load_at(unit, b, LLVMGetParam(function, 1), offset, bytes);
    LLVMValueRef next = LLVMBuildAdd(b, offset, size, "");
    LLVMBuildCondBr(b, LLVMBuildICmp(b, LLVMIntEQ, x, y, ""), block[0], block[2]);
    LLVMAddIncoming(offset, (LLVMValueRef[]){at, next}, (LLVMBasicBlockRef[]){before, block[1]}, 2);
    LLVMPositionBuilderAtEnd(b, block[2]);
    LLVMBuildRet(b, build_order(unit, b, x, y));
    LLVMPositionBuilderAtEnd(b, block[3]);
    return offset;
}

static LLVMValueRef build_function(rcp_pass_unit *unit, LLVMTypeRef type) {
    LLVMValueRef function = rcp_stand_in_declare(unit, "recipe.memcmp", type);
    LLVMBuilderRef b = LLVMCreateBuilderInContext(unit->context);
    LLVMPositionBuilderAtEnd(b, LLVMAppendBasicBlockInContext(unit->context, function, ""));
    LLVMValueRef at = build_loop(unit, b, function, LLVMConstInt(unit->i64, 0, false), 8);
    build_loop(unit, b, function, at, 1);
    LLVMBuildRet(b, LLVMConstInt(unit->i32, 0, false));
    LLVMDisposeBuilder(b);
    return function;
}

static void replace_call(rcp_pass_unit *unit, LLVMValueRef call) {
    LLVMValueRef x = LLVMGetArgOperand(call, 0), y = LLVMGetArgOperand(call, 1), size = LLVMGetArgOperand(call, 2);
    if (!LLVMIsAConstantInt(size))
        return;
    uint64_t n = LLVMConstIntGetZExtValue(size);
    bool equality = is_equality(call), word = n == 1 || n == 2 || n == 4 || n == 8;
    if (n == 0 || n > MOST || !(equality || word))
        return;
    LLVMBuilderRef b = LLVMCreateBuilderInContext(unit->context);
    LLVMPositionBuilderBefore(b, call);
    unsigned bytes = (unsigned)n;
    LLVMReplaceAllUsesWith(call, equality
                                     ? build_equality(unit, b, x, y, n)
                                     : build_order(unit, b, load(unit, b, x, 0, bytes), load(unit, b, y, 0, bytes)));
    LLVMInstructionEraseFromParent(call);
    LLVMDisposeBuilder(b);
}

void rcp_compare_calls_replace(rcp_pass_unit *unit) {
    LLVMTypeRef type = LLVMFunctionType(unit->i32, (LLVMTypeRef[]){unit->ptr, unit->ptr, unit->i64}, 3, false);
    LLVMValueRef ours = NULL;
    const rcp_outside *row;
    for (size_t i = 0; (row = rcp_outside_row(i)); i++) {
        LLVMValueRef function =
            row->compiled == RCP_COMPILED_COMPARE ? LLVMGetNamedFunction(unit->module, row->name) : NULL;
        if (!function || !LLVMIsDeclaration(function) || LLVMGlobalGetValueType(function) != type)
            continue;
        for (LLVMUseRef use = LLVMGetFirstUse(function), next; use; use = next) {
            next = LLVMGetNextUse(use);
            LLVMValueRef user = LLVMGetUser(use);
            if (LLVMIsACallInst(user) && LLVMGetCalledValue(user) == function && LLVMGetNumArgOperands(user) == 3)
                replace_call(unit, user);
        }
        if (LLVMGetFirstUse(function))
            rcp_stand_in_put(ours ? ours : (ours = build_function(unit, type)), function);
    }
}
