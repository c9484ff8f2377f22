/* SPDX-License-Identifier: Apache-2.0 */
#include "instrument/strict.h"

#include "base/vec.h"
#include "instrument/rebuild.h"
#include "program/ir/steps.h"

#include <llvm-c/DebugInfo.h>
#include <stdlib.h>

/* The constant without undefined parts; itself where it has none. */
static LLVMValueRef defined(LLVMValueRef constant) {
    if (LLVMIsAUndefValue(constant))
        return LLVMConstNull(LLVMTypeOf(constant));
    if (!LLVMIsAConstantStruct(constant) && !LLVMIsAConstantArray(constant) && !LLVMIsAConstantVector(constant))
        return constant;
    unsigned n = (unsigned)LLVMGetNumOperands(constant);
    LLVMValueRef *parts = NULL;
    for (unsigned i = 0; i < n; i++) {
        LLVMValueRef part = LLVMGetOperand(constant, i), better = defined(part);
        if (part != better && !parts) {
            parts = malloc(n * sizeof *parts);
            RCP_CHECK(parts);
            for (unsigned j = 0; j < i; j++)
                parts[j] = LLVMGetOperand(constant, j);
        }
        if (parts)
            parts[i] = better;
    }
    if (!parts)
        return constant;
    LLVMTypeRef type = LLVMTypeOf(constant);
    LLVMValueRef result;
    if (LLVMIsAConstantVector(constant))
        result = LLVMConstVector(parts, n);
    else if (LLVMIsAConstantArray(constant))
        result = LLVMConstArray2(LLVMGetElementType(type), parts, n);
    else if (LLVMIsLiteralStruct(type))
        result = LLVMConstStructInContext(LLVMGetTypeContext(type), parts, n, LLVMIsPackedStruct(type));
    else
        result = LLVMConstNamedStruct(type, parts, n);
    free(parts);
    return result;
}

void rcp_strict_globals(rcp_pass_unit *unit) {
    for (LLVMValueRef g = LLVMGetFirstGlobal(unit->module); g; g = LLVMGetNextGlobal(g)) {
        LLVMValueRef value = LLVMGetInitializer(g);
        if (!value)
            continue;
        LLVMValueRef better = defined(value);
        if (better != value)
            LLVMSetInitializer(g, better);
    }
}

static bool has_undefined_operands(LLVMValueRef i) {
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMLandingPad: return false; /* clauses */
    case LLVMBr: return LLVMIsConditional(i);
    default: return true;
    }
}

static void define_operands(LLVMValueRef i) {
    if (!has_undefined_operands(i))
        return;
    for (unsigned o = 0, n = (unsigned)LLVMGetNumOperands(i); o < n; o++) {
        LLVMValueRef operand = LLVMGetOperand(i, o);
        if (!operand || !LLVMIsAConstant(operand) || LLVMGetTypeKind(LLVMTypeOf(operand)) == LLVMMetadataTypeKind ||
            LLVMGetTypeKind(LLVMTypeOf(operand)) == LLVMTokenTypeKind)
            continue;
        LLVMValueRef better = defined(operand);
        if (better != operand)
            LLVMSetOperand(i, o, better);
    }
}

/* It wraps from now on; that the language does not say so is remembered, for runs that nobody has seen. */
static void mark_no_wrap(LLVMValueRef i) {
    LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(i));
    if (LLVMGetNSW(i))
        LLVMSetMetadata(i, LLVMGetMDKindIDInContext(context, RCP_STEPS_NO_WRAP, sizeof RCP_STEPS_NO_WRAP - 1),
                        LLVMMetadataAsValue(context, LLVMMDNodeInContext2(context, NULL, 0)));
}

static void drop_flags(LLVMValueRef i) {
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul: mark_no_wrap(i); /* fallthrough */
    case LLVMShl:
    case LLVMTrunc:
        LLVMSetNUW(i, false);
        LLVMSetNSW(i, false);
        break;
    case LLVMUDiv:
    case LLVMSDiv:
    case LLVMLShr:
    case LLVMAShr: LLVMSetExact(i, false); break;
    case LLVMZExt:
    case LLVMUIToFP: LLVMSetNNeg(i, false); break;
    case LLVMOr: LLVMSetIsDisjoint(i, false); break;
    case LLVMGetElementPtr: LLVMGEPSetNoWrapFlags(i, 0); break;
    default: break;
    }
}

static bool is_tls(LLVMValueRef value) { return LLVMIsAGlobalVariable(value) && LLVMIsThreadLocal(value); }

/* The address of a thread-local variable is no constant: every use asks for it. */
static void ask_for_tls(rcp_pass_unit *unit, LLVMBuilderRef builder, LLVMValueRef i) {
    if (LLVMIsACallInst(i) && rcp_steps_calls_intrinsic(i, "llvm.threadlocal.address"))
        return;
    for (unsigned o = 0, n = (unsigned)LLVMGetNumOperands(i); o < n; o++) {
        LLVMValueRef operand = LLVMGetOperand(i, o);
        if (!operand || !is_tls(operand))
            continue;
        if (LLVMIsAPHINode(i))
            LLVMPositionBuilderBefore(builder, LLVMGetBasicBlockTerminator(LLVMGetIncomingBlock(i, o)));
        else
            LLVMPositionBuilderBefore(builder, i);
        LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(i));
        LLVMTypeRef type = LLVMTypeOf(operand);
        LLVMSetOperand(i, o,
                       rcp_unit_build_intrinsic(unit, builder, "llvm.threadlocal.address", &type, 1, &operand, 1));
    }
}

/* An argument in memory is copied by the call itself; re-execution must see that copy read its source. */
static void copy_byval(rcp_pass_unit *unit, LLVMBuilderRef builder, LLVMValueRef call) {
    static unsigned byval, align;
    if (!byval)
        byval = rcp_unit_attribute("byval"), align = rcp_unit_attribute("align");
    for (unsigned a = 0, n = LLVMGetNumArgOperands(call); a < n; a++) {
        LLVMAttributeRef attribute = LLVMGetCallSiteEnumAttribute(call, a + 1, byval);
        if (!attribute)
            continue;
        LLVMTypeRef type = LLVMGetTypeAttributeValue(attribute);
        LLVMAttributeRef alignment = LLVMGetCallSiteEnumAttribute(call, a + 1, align);
        LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(call));
        LLVMPositionBuilderBefore(builder, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function)));
        LLVMSetCurrentDebugLocation2(builder, NULL);
        LLVMValueRef copy = LLVMBuildAlloca(builder, type, "");
        LLVMSetAlignment(copy, alignment ? (unsigned)LLVMGetEnumAttributeValue(alignment) : 16);
        LLVMPositionBuilderBefore(builder, call);
        LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(call));
        LLVMBuildMemCpy(builder, copy, LLVMGetAlignment(copy), LLVMGetArgOperand(call, a), 1,
                        LLVMConstInt(unit->i64, LLVMABISizeOfType(unit->layout, type), false));
        LLVMSetOperand(call, a, copy);
    }
}

static bool is_noreturn(LLVMValueRef i) {
    unsigned kind = rcp_unit_attribute("noreturn");
    LLVMValueRef callee = LLVMIsAFunction(LLVMGetCalledValue(i));
    return LLVMGetCallSiteEnumAttribute(i, LLVMAttributeFunctionIndex, kind) ||
           (callee && LLVMGetEnumAttributeAtIndex(callee, LLVMAttributeFunctionIndex, kind));
}

/* Where control can't come, and does: a fault, not whatever code stands next. */
static void trap(rcp_pass_unit *unit, LLVMBuilderRef builder, LLVMValueRef unreachable) {
    LLVMValueRef before = LLVMGetPreviousInstruction(unreachable);
    if (before && LLVMIsACallInst(before) && is_noreturn(before))
        return;
    LLVMPositionBuilderBefore(builder, unreachable);
    LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(unreachable));
    rcp_unit_build_intrinsic(unit, builder, "llvm.trap", NULL, 0, NULL, 0);
}

static void define(rcp_pass_unit *unit, LLVMBuilderRef builder, LLVMValueRef i) {
    if (LLVMIsADbgInfoIntrinsic(i))
        return;
    bool call = LLVMIsACallInst(i);
    if (call && rcp_strict_is_hint(i)) {
        LLVMInstructionEraseFromParent(i);
        return;
    }
    i = rcp_rebuild_exact(builder, i);
    if (!LLVMIsAInstruction(i))
        return; /* of constants alone: its value took its place */
    define_operands(i);
    drop_flags(i);
    ask_for_tls(unit, builder, i);
    if (call || LLVMIsAInvokeInst(i))
        copy_byval(unit, builder, i);
    if (LLVMIsAUnreachableInst(i)) {
        trap(unit, builder, i);
        return;
    }
    LLVMPositionBuilderBefore(builder, i);
    LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(i));
    LLVMValueRef value = rcp_strict_replace(unit, builder, i);
    if (value) {
        LLVMReplaceAllUsesWith(i, value);
        LLVMInstructionEraseFromParent(i);
    }
}

void rcp_strict_function(rcp_pass_unit *unit, LLVMValueRef function) {
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(unit->context);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b), next; i; i = next) {
            next = LLVMGetNextInstruction(i);
            define(unit, builder, i);
        }
    LLVMDisposeBuilder(builder);
}
