/* SPDX-License-Identifier: Apache-2.0 */
#include "instrument/memory_calls.h"

#include "instrument/compare_calls.h"
#include "instrument/stand_in.h"
#include "outside/outside.h"

#include <stdio.h>
#include <string.h>

/* The name of the function of ours that does the same: recipe.memcpy_chk for __memcpy_chk. */
static void name_ours(const rcp_outside *known, char name[64]) {
    snprintf(name, 64, RCP_STEPS_STAND_IN "%s", known->name + strspn(known->name, "_"));
}

static LLVMTypeRef type_of(rcp_pass_unit *unit, const rcp_outside *known) {
    LLVMTypeRef second = known->compiled == RCP_COMPILED_FILL ? unit->i32 : unit->ptr;
    return LLVMFunctionType(unit->ptr, (LLVMTypeRef[]){unit->ptr, second, unit->i64, unit->i64},
                            known->is_checked ? 4 : 3, false);
}

/* The effect itself; what the function returns. */
static LLVMValueRef build(rcp_pass_unit *unit, LLVMBuilderRef b, const rcp_outside *known,
                          const LLVMValueRef *argument) {
    LLVMValueRef to = argument[0], size = argument[2];
    switch ((rcp_outside_compiled)known->compiled) {
    case RCP_COMPILED_COPY: LLVMBuildMemCpy(b, to, 1, argument[1], 1, size); break;
    case RCP_COMPILED_MOVE: LLVMBuildMemMove(b, to, 1, argument[1], 1, size); break;
    case RCP_COMPILED_FILL: LLVMBuildMemSet(b, to, LLVMBuildTrunc(b, argument[1], unit->i8, ""), size, 1); break;
    case RCP_COMPILED_NOT:
    case RCP_COMPILED_COMPARE: break;
    }
    return known->returns_end ? LLVMBuildGEP2(b, unit->i8, to, &size, 1, "") : to;
}

static void build_check(rcp_pass_unit *unit, LLVMBuilderRef b, LLVMValueRef function) {
    LLVMBasicBlockRef fail = LLVMAppendBasicBlockInContext(unit->context, function, "");
    LLVMBasicBlockRef go_on = LLVMAppendBasicBlockInContext(unit->context, function, "");
    LLVMValueRef large = LLVMBuildICmp(b, LLVMIntUGT, LLVMGetParam(function, 2), LLVMGetParam(function, 3), "");
    LLVMBuildCondBr(b, large, fail, go_on);
    LLVMPositionBuilderAtEnd(b, fail);
    LLVMTypeRef type = LLVMFunctionType(unit->void_type, NULL, 0, false);
    const char *name = rcp_outside_having(RCP_ROLE_CHECK_FAILS, &(size_t){0})->name;
    LLVMValueRef complain = LLVMGetNamedFunction(unit->module, name);
    if (!complain)
        complain = LLVMAddFunction(unit->module, name, type);
    LLVMBuildCall2(b, type, complain, NULL, 0, "");
    LLVMBuildUnreachable(b);
    LLVMPositionBuilderAtEnd(b, go_on);
}

static LLVMValueRef ours(rcp_pass_unit *unit, const rcp_outside *known) {
    char name[64];
    name_ours(known, name);
    LLVMValueRef function = LLVMGetNamedFunction(unit->module, name);
    if (function)
        return function;
    function = rcp_stand_in_declare(unit, name, type_of(unit, known));
    LLVMBuilderRef b = LLVMCreateBuilderInContext(unit->context);
    LLVMPositionBuilderAtEnd(b, LLVMAppendBasicBlockInContext(unit->context, function, ""));
    if (known->is_checked)
        build_check(unit, b, function);
    LLVMValueRef argument[4];
    LLVMGetParams(function, argument);
    LLVMBuildRet(b, build(unit, b, known, argument));
    LLVMDisposeBuilder(b);
    return function;
}

static bool is_call_of(LLVMValueRef user, LLVMValueRef function) {
    return LLVMIsACallInst(user) && rcp_stand_in_is_callee_alone(user, function) &&
           LLVMGetCalledFunctionType(user) == LLVMGlobalGetValueType(function);
}

static bool is_large_enough(LLVMValueRef room, LLVMValueRef size) {
    if (!LLVMIsAConstantInt(room))
        return false;
    return LLVMConstIntGetZExtValue(room) == UINT64_MAX ||
           (LLVMIsAConstantInt(size) && LLVMConstIntGetZExtValue(size) <= LLVMConstIntGetZExtValue(room));
}

/* In place of the call, with its place in the source. */
static bool replace_call(rcp_pass_unit *unit, const rcp_outside *known, LLVMValueRef call) {
    LLVMValueRef argument[4];
    for (unsigned i = 0, n = LLVMGetNumArgOperands(call); i < n; i++)
        argument[i] = LLVMGetArgOperand(call, i);
    if (known->is_checked && !is_large_enough(argument[3], argument[2]))
        return false;
    LLVMBuilderRef b = LLVMCreateBuilderInContext(unit->context);
    LLVMPositionBuilderBefore(b, call);
    LLVMReplaceAllUsesWith(call, build(unit, b, known, argument));
    LLVMInstructionEraseFromParent(call);
    LLVMDisposeBuilder(b);
    return true;
}

static void replace(rcp_pass_unit *unit, const rcp_outside *known, LLVMValueRef function) {
    for (LLVMUseRef use = LLVMGetFirstUse(function), next; use; use = next) {
        next = LLVMGetNextUse(use);
        LLVMValueRef user = LLVMGetUser(use);
        if (is_call_of(user, function))
            replace_call(unit, known, user);
    }
    if (LLVMGetFirstUse(function))
        rcp_stand_in_put(ours(unit, known), function);
}

static bool has_no_builtins(LLVMModuleRef module) {
    static const char *const names[] = {"no-builtins", "no-builtin-memcpy", "no-builtin-memmove", "no-builtin-memset"};
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        for (size_t i = 0; i < sizeof names / sizeof *names; i++)
            if (LLVMGetStringAttributeAtIndex(f, LLVMAttributeFunctionIndex, names[i], (unsigned)strlen(names[i])))
                return true;
    return false;
}

void rcp_memory_calls_replace(rcp_pass_unit *unit) {
    if (has_no_builtins(unit->module))
        return;
    const rcp_outside *row;
    for (size_t i = 0; (row = rcp_outside_row(i)); i++) {
        if (row->compiled == RCP_COMPILED_NOT || row->compiled == RCP_COMPILED_COMPARE)
            continue;
        LLVMValueRef function = LLVMGetNamedFunction(unit->module, row->name);
        if (function && LLVMIsDeclaration(function) && LLVMGlobalGetValueType(function) == type_of(unit, row))
            replace(unit, row, function);
    }
    rcp_compare_calls_replace(unit);
}
