/* SPDX-License-Identifier: Apache-2.0 */
#include "instrument/memory_calls.h"

#include "instrument/compare_calls.h"
#include "instrument/stand_in.h"

#include <string.h>

enum effect { COPY, MOVE, FILL };

static const struct known {
    const char *name, *ours;
    enum effect effect;
    bool checked;     /* a fourth argument says how large the object is */
    bool returns_end; /* of what was written, not its beginning */
} functions[] = {
    {"memcpy", "recipe.memcpy", COPY, false, false},
    {"memmove", "recipe.memmove", MOVE, false, false},
    {"memset", "recipe.memset", FILL, false, false},
    {"mempcpy", "recipe.mempcpy", COPY, false, true},
    {"__mempcpy", "recipe.mempcpy", COPY, false, true},
    {"__memcpy_chk", "recipe.memcpy_chk", COPY, true, false},
    {"__memmove_chk", "recipe.memmove_chk", MOVE, true, false},
    {"__memset_chk", "recipe.memset_chk", FILL, true, false},
    {"__mempcpy_chk", "recipe.mempcpy_chk", COPY, true, true},
};

static LLVMTypeRef type_of(rcp_pass_unit *unit, const struct known *known) {
    LLVMTypeRef second = known->effect == FILL ? unit->i32 : unit->ptr;
    return LLVMFunctionType(unit->ptr, (LLVMTypeRef[]){unit->ptr, second, unit->i64, unit->i64}, known->checked ? 4 : 3,
                            false);
}

/* The effect itself; what the function returns. */
static LLVMValueRef build(rcp_pass_unit *unit, LLVMBuilderRef b, const struct known *known,
                          const LLVMValueRef *argument) {
    LLVMValueRef to = argument[0], size = argument[2];
    switch (known->effect) {
    case COPY: LLVMBuildMemCpy(b, to, 1, argument[1], 1, size); break;
    case MOVE: LLVMBuildMemMove(b, to, 1, argument[1], 1, size); break;
    case FILL: LLVMBuildMemSet(b, to, LLVMBuildTrunc(b, argument[1], unit->i8, ""), size, 1); break;
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
    LLVMValueRef complain = LLVMGetNamedFunction(unit->module, "__chk_fail");
    if (!complain)
        complain = LLVMAddFunction(unit->module, "__chk_fail", type);
    LLVMBuildCall2(b, type, complain, NULL, 0, "");
    LLVMBuildUnreachable(b);
    LLVMPositionBuilderAtEnd(b, go_on);
}

static LLVMValueRef ours(rcp_pass_unit *unit, const struct known *known) {
    LLVMValueRef function = LLVMGetNamedFunction(unit->module, known->ours);
    if (function)
        return function;
    function = rcp_stand_in_declare(unit, known->ours, type_of(unit, known));
    LLVMBuilderRef b = LLVMCreateBuilderInContext(unit->context);
    LLVMPositionBuilderAtEnd(b, LLVMAppendBasicBlockInContext(unit->context, function, ""));
    if (known->checked)
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
static bool replace_call(rcp_pass_unit *unit, const struct known *known, LLVMValueRef call) {
    LLVMValueRef argument[4];
    for (unsigned i = 0, n = LLVMGetNumArgOperands(call); i < n; i++)
        argument[i] = LLVMGetArgOperand(call, i);
    if (known->checked && !is_large_enough(argument[3], argument[2]))
        return false;
    LLVMBuilderRef b = LLVMCreateBuilderInContext(unit->context);
    LLVMPositionBuilderBefore(b, call);
    LLVMReplaceAllUsesWith(call, build(unit, b, known, argument));
    LLVMInstructionEraseFromParent(call);
    LLVMDisposeBuilder(b);
    return true;
}

static void replace(rcp_pass_unit *unit, const struct known *known, LLVMValueRef function) {
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
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        LLVMValueRef function = LLVMGetNamedFunction(unit->module, functions[i].name);
        if (function && LLVMIsDeclaration(function) && LLVMGlobalGetValueType(function) == type_of(unit, &functions[i]))
            replace(unit, &functions[i], function);
    }
    rcp_compare_calls_replace(unit);
}
