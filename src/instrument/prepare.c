/* SPDX-License-Identifier: Apache-2.0 */
#include "instrument/prepare.h"

#include "base/map.h"
#include "instrument/always_inline.h"
#include "instrument/atomic_calls.h"
#include "instrument/attributes.h"
#include "instrument/blocks.h"
#include "instrument/empty.h"
#include "instrument/linger.h"
#include "instrument/machine_atomics.h"
#include "instrument/machine_clocks.h"
#include "instrument/machine_fences.h"
#include "instrument/memory_calls.h"
#include "instrument/neon.h"
#include "instrument/opaque.h"
#include "instrument/padding.h"
#include "instrument/strict.h"
#include "instrument/vptrs.h"

#include <llvm-c/Comdat.h>
#include <string.h>

/* Does an instruction use the function as a value? Then the program may compare its address with another module's. */
static bool is_identity_used(LLVMValueRef function) {
    if (LLVMGetUnnamedAddress(function) == LLVMGlobalUnnamedAddr)
        return false;
    for (LLVMUseRef use = LLVMGetFirstUse(function); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (!LLVMIsAInstruction(user))
            continue;
        bool call = LLVMIsACallInst(user) || LLVMIsAInvokeInst(user);
        if (!call || LLVMGetCalledValue(user) != function)
            return true;
        for (unsigned i = 0, n = LLVMGetNumArgOperands(user); i < n; i++)
            if (LLVMGetArgOperand(user, i) == function)
                return true;
    }
    return false;
}

static bool is_every_modules(LLVMValueRef global) { return LLVMGetLinkage(global) == LLVMLinkOnceODRLinkage; }

static void make_own(LLVMValueRef global) {
    LLVMSetLinkage(global, LLVMInternalLinkage);
    LLVMSetVisibility(global, LLVMDefaultVisibility);
}

/* Functions whose identity matters, and all that shares a comdat with one of those or with a variable, stay. */
static void internalise(LLVMModuleRef module) {
    rcp_map staying; /* comdats and functions, by address */
    rcp_map_init(&staying);
    for (LLVMValueRef g = LLVMGetFirstGlobal(module); g; g = LLVMGetNextGlobal(g))
        if (LLVMGetComdat(g))
            rcp_map_set(&staying, (uintptr_t)LLVMGetComdat(g), 1);
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        if (LLVMIsDeclaration(f) || (is_every_modules(f) && !is_identity_used(f)))
            continue;
        if (LLVMGetComdat(f))
            rcp_map_set(&staying, (uintptr_t)LLVMGetComdat(f), 1);
    }
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        if (LLVMIsDeclaration(f) || !is_every_modules(f))
            continue;
        LLVMComdatRef comdat = LLVMGetComdat(f);
        if (comdat ? rcp_map_get(&staying, (uintptr_t)comdat) != RCP_MAP_NONE : is_identity_used(f)) {
            rcp_map_set(&staying, (uintptr_t)f, 1);
            continue;
        }
        make_own(f);
        LLVMSetComdat(f, NULL);
    }
    for (LLVMValueRef a = LLVMGetFirstGlobalAlias(module); a; a = LLVMGetNextGlobalAlias(a))
        if (is_every_modules(a) && LLVMIsAFunction(LLVMAliasGetAliasee(a)) &&
            rcp_map_get(&staying, (uintptr_t)LLVMAliasGetAliasee(a)) == RCP_MAP_NONE)
            make_own(a);
    rcp_map_finish(&staying);
}

static bool is_callee(LLVMValueRef user, LLVMValueRef function) {
    return (LLVMIsACallInst(user) || LLVMIsAInvokeInst(user)) && LLVMGetCalledValue(user) == function;
}

/* Calls go to the body, which becomes the module's own under another name: the back end may itself call the function by
 * its name (memcpy). Who takes the address gets that of the function elsewhere. */
static void own_inline(LLVMModuleRef module, LLVMValueRef body) {
    size_t len;
    rcp_text name = {0};
    rcp_text_puts(&name, LLVMGetValueName2(body, &len));
    rcp_text_puts(&name, ".inline");
    LLVMSetValueName2(body, name.at, name.len);
    name.at[len] = 0;
    LLVMValueRef elsewhere = LLVMAddFunction(module, name.at, LLVMGlobalGetValueType(body));
    rcp_text_finish(&name);
    LLVMReplaceAllUsesWith(body, elsewhere);
    for (LLVMUseRef use = LLVMGetFirstUse(elsewhere), next; use; use = next) {
        next = LLVMGetNextUse(use);
        LLVMValueRef user = LLVMGetUser(use);
        if (is_callee(user, elsewhere))
            LLVMSetOperand(user, (unsigned)LLVMGetNumOperands(user) - 1, body);
    }
    make_own(body);
}

/* Bodies that stand here for the optimiser alone go, the function is elsewhere; but one that is always inlined need not
 * be anywhere else (libstdc++, the checking functions of glibc). */
static void own_inlines(LLVMModuleRef module) {
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        if (LLVMGetLinkage(f) == LLVMAvailableExternallyLinkage && rcp_unit_has_attribute(f, "alwaysinline"))
            own_inline(module, f);
}

static bool declares(LLVMModuleRef module, const char *prefix) {
    size_t len, want = strlen(prefix);
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        const char *name = LLVMGetValueName2(f, &len);
        if (LLVMGetIntrinsicID(f) && len >= want && !memcmp(name, prefix, want))
            return true;
    }
    return false;
}

static void prepare_function(rcp_pass_unit *unit, LLVMValueRef function) {
    rcp_vptrs_compare(unit, function);
    rcp_empty_begin(unit, function);
    rcp_strict_function(unit, function);
    rcp_blocks_join(unit, function);
    rcp_blocks_split_invokes(unit, function);
}

rcp_code rcp_prepare(rcp_pass_unit *unit) {
    LLVMSetIsNewDbgInfoFormat(unit->module, false);
    own_inlines(unit->module);
    RCP_TRY(rcp_unit_run(unit, "elim-avail-extern"));
    internalise(unit->module);
    if (declares(unit->module, "llvm.coro.")) /* coroutines become functions and a frame on the heap */
        RCP_TRY(rcp_unit_run(unit, "coro-early,cgscc(coro-split),coro-cleanup"));
    if (declares(unit->module, "llvm.masked."))
        RCP_TRY(rcp_unit_run(unit, "globaldce,function(scalarize-masked-mem-intrin)"));
    rcp_padding_divide(unit);
    rcp_atomic_calls_replace(unit);
    RCP_TRY(rcp_always_inline(unit));
    /* `sroa` keeps exactly the accesses of unoptimised code that others could see, and moving a loop's test to its end
     * keeps all of them too; early-cse and what comes after it does not. */
    RCP_TRY(rcp_unit_run(unit, "globaldce,function(lower-expect,lower-constant-intrinsics,sroa,loop(loop-rotate))"));
    rcp_padding_mark(unit);
    rcp_memory_calls_replace(unit);
    rcp_neon_replace(unit);
    rcp_machine_atomics_replace(unit);
    rcp_machine_fences_add(unit);
    rcp_machine_clocks_replace(unit);
    rcp_opaque_mark(unit);
    rcp_attributes_drop(unit);
    rcp_linger_before_end(unit);
    rcp_strict_globals(unit);
    for (LLVMValueRef f = LLVMGetFirstFunction(unit->module); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f) && !rcp_opaque_is(f))
            prepare_function(unit, f);
    RCP_TRY(rcp_unit_verify(unit, "preparation"));
    return rcp_opaque_mark_refused(unit);
}
