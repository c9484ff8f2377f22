/* SPDX-License-Identifier: Apache-2.0 */
#include "instrument/always_inline.h"

#include "base/map.h"
#include "instrument/opaque.h"

/* On calls that were told not to be inlined here, beside that. */
static const char held[] = "recipe-held";

static bool must_inline(LLVMValueRef function) {
    return !LLVMIsDeclaration(function) && rcp_unit_has_attribute(function, "alwaysinline");
}

static bool is_opaque(const rcp_map *opaque, LLVMValueRef function) {
    return rcp_map_get(opaque, (uintptr_t)function) != RCP_MAP_NONE;
}

/* The pass leaves a call that says so, whatever its function says. */
static void hold_back(rcp_pass_unit *unit, const rcp_map *opaque, LLVMValueRef function) {
    unsigned noinline = rcp_unit_attribute("noinline");
    for (LLVMUseRef use = LLVMGetFirstUse(function); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef call = LLVMGetUser(use);
        if ((!LLVMIsACallInst(call) && !LLVMIsAInvokeInst(call)) || LLVMGetCalledValue(call) != function ||
            LLVMGetCallSiteEnumAttribute(call, LLVMAttributeFunctionIndex, noinline))
            continue;
        LLVMValueRef caller = LLVMGetBasicBlockParent(LLVMGetInstructionParent(call));
        if (!is_opaque(opaque, function) && !is_opaque(opaque, caller))
            continue;
        LLVMAddCallSiteAttribute(call, LLVMAttributeFunctionIndex, LLVMCreateEnumAttribute(unit->context, noinline, 0));
        LLVMAddCallSiteAttribute(call, LLVMAttributeFunctionIndex,
                                 LLVMCreateStringAttribute(unit->context, held, sizeof held - 1, "", 0));
    }
}

/* Those that were held, and what became copies of them. The back end may inline them, with their hooks. */
static void let_go(LLVMValueRef function) {
    for (LLVMUseRef use = LLVMGetFirstUse(function); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef call = LLVMGetUser(use);
        if ((!LLVMIsACallInst(call) && !LLVMIsAInvokeInst(call)) ||
            !LLVMGetCallSiteStringAttribute(call, LLVMAttributeFunctionIndex, held, sizeof held - 1))
            continue;
        LLVMRemoveCallSiteStringAttribute(call, LLVMAttributeFunctionIndex, held, sizeof held - 1);
        LLVMRemoveCallSiteEnumAttribute(call, LLVMAttributeFunctionIndex, rcp_unit_attribute("noinline"));
    }
}

rcp_code rcp_always_inline(rcp_pass_unit *unit) {
    bool any = false;
    rcp_map opaque;
    rcp_map_init(&opaque);
    for (LLVMValueRef f = LLVMGetFirstFunction(unit->module); f; f = LLVMGetNextFunction(f)) {
        any = any || must_inline(f);
        if (rcp_opaque_will_be(unit, f))
            rcp_map_set(&opaque, (uintptr_t)f, 1);
    }
    for (LLVMValueRef f = LLVMGetFirstFunction(unit->module); f; f = LLVMGetNextFunction(f))
        if (must_inline(f))
            hold_back(unit, &opaque, f);
    rcp_map_finish(&opaque);
    /* Inlining follows the branches that constant arguments decide, and drops no access but in those that it does not
     * follow; for that the arguments must be values, and not variables on the stack. */
    if (any)
        RCP_TRY(rcp_unit_run(unit, "function(lower-expect,sroa),always-inline"));
    for (LLVMValueRef f = LLVMGetFirstFunction(unit->module); f; f = LLVMGetNextFunction(f))
        if (must_inline(f))
            let_go(f);
    return RCP_OK;
}
