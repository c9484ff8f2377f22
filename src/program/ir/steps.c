/* SPDX-License-Identifier: Apache-2.0 */
#include "program/ir/steps.h"

#include "base/map.h"
#include "outside/outside.h"
#include "program/ir/intrinsics.h"

#include <string.h>

static bool has_attribute(LLVMValueRef function, const char *name) {
    return LLVMGetStringAttributeAtIndex(function, LLVMAttributeFunctionIndex, name, (unsigned)strlen(name));
}

bool rcp_steps_is_left_out(LLVMValueRef function) {
    return !LLVMIsDeclaration(function) && has_attribute(function, RCP_OPAQUE_ATTRIBUTE);
}

bool rcp_steps_is_spared(LLVMValueRef function) { return has_attribute(function, RCP_SPARED_ATTRIBUTE); }

bool rcp_steps_is_final(LLVMValueRef function) {
    if (LLVMIsDeclaration(function) || rcp_steps_is_left_out(function))
        return false;
    switch (LLVMGetLinkage(function)) {
    case LLVMInternalLinkage:
    case LLVMPrivateLinkage:
    case LLVMExternalLinkage: /* as clang itself has it: -fsemantic-interposition is refused by the driver */
        return true;
    default: return false; /* weak ones: the linker may take another module's */
    }
}

LLVMValueRef rcp_steps_callee(LLVMValueRef call) {
    LLVMValueRef callee = LLVMGetCalledValue(call);
    while (LLVMIsAGlobalAlias(callee)) {
        LLVMLinkage linkage = LLVMGetLinkage(callee);
        if (linkage != LLVMInternalLinkage && linkage != LLVMPrivateLinkage && linkage != LLVMExternalLinkage)
            return NULL;
        callee = LLVMAliasGetAliasee(callee);
    }
    return LLVMIsAFunction(callee);
}

const char *rcp_steps_intrinsic(LLVMValueRef function, size_t *len) {
    unsigned id = LLVMGetIntrinsicID(function);
    return id ? LLVMIntrinsicGetName(id, len) : NULL;
}

static bool is_intrinsic(LLVMValueRef function, const char *name) {
    size_t len;
    const char *own = rcp_steps_intrinsic(function, &len);
    return own && len == strlen(name) && !memcmp(own, name, len);
}

bool rcp_steps_calls_intrinsic(LLVMValueRef call, const char *name) {
    LLVMValueRef callee = LLVMIsAFunction(LLVMGetCalledValue(call));
    return callee && is_intrinsic(callee, name);
}

bool rcp_steps_has_metadata(LLVMValueRef instruction, const char *name) {
    if (!LLVMHasMetadata(instruction))
        return false;
    LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(instruction));
    return LLVMGetMetadata(instruction, LLVMGetMDKindIDInContext(context, name, (unsigned)strlen(name)));
}

bool rcp_steps_returns_twice(LLVMValueRef call) {
    static const char name[] = "returns_twice";
    unsigned kind = LLVMGetEnumAttributeKindForName(name, sizeof name - 1);
    LLVMValueRef callee = rcp_steps_callee(call);
    if (!LLVMGetCallSiteEnumAttribute(call, LLVMAttributeFunctionIndex, kind) &&
        !(callee && LLVMGetEnumAttributeAtIndex(callee, LLVMAttributeFunctionIndex, kind)))
        return false;
    size_t len;
    return !callee || !(rcp_outside_resolve(LLVMGetValueName2(callee, &len)).roles & RCP_ROLE_ONCE);
}

/* Does the pointer lead into a constant that this module itself defines? Then what is there is known. */
static bool is_own_constant(LLVMValueRef pointer) {
    for (;;) {
        if (LLVMIsAGetElementPtrInst(pointer) ||
            (LLVMIsAConstantExpr(pointer) && LLVMGetConstOpcode(pointer) == LLVMGetElementPtr))
            pointer = LLVMGetOperand(pointer, 0);
        else
            break;
    }
    if (!LLVMIsAGlobalVariable(pointer) || !LLVMIsGlobalConstant(pointer) || LLVMIsDeclaration(pointer) ||
        LLVMIsThreadLocal(pointer))
        return false;
    LLVMLinkage linkage = LLVMGetLinkage(pointer);
    return linkage == LLVMInternalLinkage || linkage == LLVMPrivateLinkage || linkage == LLVMExternalLinkage;
}

static rcp_step_kind intrinsic_kind(LLVMValueRef call, LLVMValueRef function) {
    if (is_intrinsic(function, "llvm.memcpy") || is_intrinsic(function, "llvm.memmove") ||
        is_intrinsic(function, "llvm.memcpy.inline"))
        return RCP_STEP_COPY;
    if (is_intrinsic(function, "llvm.memset") || is_intrinsic(function, "llvm.memset.inline"))
        return RCP_STEP_FILL;
    if (is_intrinsic(function, "llvm.threadlocal.address"))
        return RCP_STEP_TLS;
    if (is_intrinsic(function, "llvm.stacksave"))
        return RCP_STEP_SAVE;
    if (is_intrinsic(function, "llvm.stackrestore"))
        return RCP_STEP_RESTORE;
    size_t len;
    const char *name = rcp_steps_intrinsic(function, &len);
    if (LLVMGetTypeKind(LLVMTypeOf(call)) == LLVMVoidTypeKind || rcp_intrinsic_find(name, len))
        return RCP_STEP_NONE;
    return RCP_STEP_VALUE;
}

static bool assembly_has(LLVMValueRef call, const char *const *words, size_t n) {
    LLVMValueRef called = LLVMGetCalledValue(call);
    if (!LLVMIsAInlineAsm(called))
        return false;
    size_t len;
    const char *text = LLVMGetInlineAsmAsmString(called, &len);
    for (size_t i = 0; i < n; i++)
        if (memmem(text, len, words[i], strlen(words[i])))
            return true;
    return false;
}

static const char *const of_chance[] = {"rndr", "rdrand", "rdseed"};
static const char *const of_time[] = {"cntvct", "cntpct", "rdtsc"};

static const char *const of_the_system[] = {"svc", "sysc", "syse", "0x80"}; /* as the instructions begin, or end */

static bool has_result(LLVMValueRef call) { return LLVMGetTypeKind(LLVMTypeOf(call)) != LLVMVoidTypeKind; }

bool rcp_steps_asks_chance(LLVMValueRef call) {
    return has_result(call) && assembly_has(call, of_chance, sizeof of_chance / sizeof *of_chance);
}

bool rcp_steps_asks_machine(LLVMValueRef call) {
    return rcp_steps_asks_chance(call) ||
           (has_result(call) && assembly_has(call, of_time, sizeof of_time / sizeof *of_time));
}

bool rcp_steps_calls_system(LLVMValueRef call) {
    return assembly_has(call, of_the_system, sizeof of_the_system / sizeof *of_the_system);
}

static rcp_step_kind call_kind(LLVMValueRef call) {
    LLVMValueRef called = LLVMGetCalledValue(call);
    if (LLVMIsAInlineAsm(called)) {
        size_t len;
        LLVMGetInlineAsmAsmString(called, &len);
        return len ? RCP_STEP_LEAVE : RCP_STEP_NONE;
    }
    LLVMValueRef function = rcp_steps_callee(call);
    if (!function)
        return RCP_STEP_LEAVE;
    if (LLVMGetIntrinsicID(function))
        return intrinsic_kind(call, function);
    return rcp_steps_is_final(function) ? RCP_STEP_CALL : RCP_STEP_LEAVE;
}

/* `seen`: the blocks up to this one. */
/* Can it go to its own block or to one that stands before it? Every loop has such a branch. */
static bool goes_back(LLVMValueRef branch, const rcp_map *seen) {
    for (unsigned i = 0, n = LLVMGetNumSuccessors(branch); i < n; i++)
        if (rcp_map_get(seen, (uintptr_t)LLVMGetSuccessor(branch, i)) != RCP_MAP_NONE)
            return true;
    return false;
}

static rcp_step_kind kind_of(LLVMValueRef instruction, const rcp_map *seen) {
    switch (LLVMGetInstructionOpcode(instruction)) {
    case LLVMLoad: return is_own_constant(LLVMGetOperand(instruction, 0)) ? RCP_STEP_NONE : RCP_STEP_LOAD;
    case LLVMStore: return RCP_STEP_STORE;
    case LLVMAtomicRMW: return RCP_STEP_RMW;
    case LLVMAtomicCmpXchg: return RCP_STEP_CMPXCHG;
    case LLVMFence: return RCP_STEP_FENCE;
    case LLVMSwitch: return goes_back(instruction, seen) ? RCP_STEP_SWITCH : RCP_STEP_NONE;
    case LLVMIndirectBr: return RCP_STEP_INDIRECT;
    case LLVMResume: return RCP_STEP_RESUME;
    case LLVMLandingPad: return RCP_STEP_LANDING;
    case LLVMCall:
    case LLVMInvoke: return call_kind(instruction);
    case LLVMBr:
        if (!goes_back(instruction, seen))
            return RCP_STEP_NONE;
        return LLVMIsConditional(instruction) ? RCP_STEP_BRANCH : RCP_STEP_TICK;
    default: return RCP_STEP_NONE;
    }
}

static bool is_counted(rcp_step_kind kind) { return kind >= RCP_STEP_LOAD && kind <= RCP_STEP_TICK; }
static bool is_breaking(rcp_step_kind kind) { return kind >= RCP_STEP_COPY && kind <= RCP_STEP_RESUME; }

static void close_segment(rcp_steps *steps, size_t from, size_t to) {
    uint32_t events = 0;
    for (size_t i = from; i < to; i++)
        events += is_counted(steps->at[i].kind);
    uint32_t left = events;
    for (size_t i = from; i < to; i++)
        if (is_counted(steps->at[i].kind)) {
            steps->at[i].reserve = left == events ? events : 0;
            steps->at[i].left = left--;
        }
}

void rcp_steps_of(LLVMValueRef function, rcp_steps *steps) {
    rcp_map seen;
    rcp_map_init(&seen);
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block)) {
        rcp_map_set(&seen, (uintptr_t)block, 1);
        size_t segment = steps->len;
        for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
            rcp_step_kind kind = kind_of(i, &seen);
            if (kind == RCP_STEP_NONE)
                continue;
            rcp_vec_push(steps, ((rcp_step){.instruction = i, .kind = kind}));
            if (is_breaking(kind)) {
                close_segment(steps, segment, steps->len);
                segment = steps->len;
            }
        }
        close_segment(steps, segment, steps->len);
    }
    rcp_map_finish(&seen);
}
