/* SPDX-License-Identifier: Apache-2.0 */
#include "instrument/opaque.h"

#include "outside/outside.h"
#include "program/ir/decodable.h"
#include "program/ir/steps.h"

#include <fnmatch.h>
#include <llvm-c/DebugInfo.h>
#include <string.h>

/* What neither the hooks nor re-execution have a notion of. */
static const char *type_reason(LLVMTypeRef type) {
    switch (LLVMGetTypeKind(type)) {
    case LLVMScalableVectorTypeKind: return "vectors of a length that only the machine knows";
    case LLVMIntegerTypeKind: return LLVMGetIntTypeWidth(type) > 128 ? "integers of more than 128 bits" : NULL;
    case LLVMX86_MMXTypeKind:
    case LLVMX86_AMXTypeKind:
    case LLVMTargetExtTypeKind: return "a type of the machine's own";
    default: return NULL;
    }
}

static const char *pointer_reason(LLVMValueRef pointer) {
    return LLVMGetPointerAddressSpace(LLVMTypeOf(pointer)) ? "memory in an address space of its own" : NULL;
}

/* The machine's own intrinsics that touch memory through a pointer, and masked accesses: neither hooks nor re-execution
 * know what they do. Those that are only hints and barriers have none. */
static bool is_machines_access(LLVMValueRef call) {
    LLVMValueRef callee = LLVMIsAFunction(LLVMGetCalledValue(call));
    size_t len;
    const char *name = callee ? rcp_steps_intrinsic(callee, &len) : NULL;
    if (!name ||
        (strncmp(name, "llvm.aarch64.", 13) && strncmp(name, "llvm.x86.", 9) && strncmp(name, "llvm.masked.", 12)))
        return false;
    LLVMAttributeRef memory =
        LLVMGetEnumAttributeAtIndex(callee, LLVMAttributeFunctionIndex, rcp_unit_attribute("memory"));
    enum { ARGUMENTS = 3, ANYWHERE = 3 << 4 }; /* two bits for each: memory of arguments, inaccessible, other */
    if (memory && !(LLVMGetEnumAttributeValue(memory) & (ANYWHERE | ARGUMENTS)))
        return false;
    for (unsigned i = 0, n = LLVMGetNumArgOperands(call); i < n; i++)
        if (LLVMGetTypeKind(LLVMTypeOf(LLVMGetArgOperand(call, i))) == LLVMPointerTypeKind)
            return true;
    return false;
}

static const char *instruction_reason(LLVMValueRef i) {
    const char *why = type_reason(LLVMTypeOf(i));
    if (why)
        return why;
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMCallBr: return "assembly that jumps (asm goto)";
    case LLVMVAArg: return "a va_arg that is left to the back end";
    case LLVMCatchSwitch:
    case LLVMCatchPad:
    case LLVMCleanupPad: return "exception handling of another system";
    case LLVMAlloca: return pointer_reason(i);
    case LLVMLoad: return pointer_reason(LLVMGetOperand(i, 0));
    case LLVMStore:
        why = type_reason(LLVMTypeOf(LLVMGetOperand(i, 0)));
        return why ? why : pointer_reason(LLVMGetOperand(i, 1));
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg: return pointer_reason(LLVMGetOperand(i, 0));
    case LLVMCall:
        if (LLVMGetTailCallKind(i) == LLVMTailCallKindMustTail)
            return "a call that must be a tail call";
        if (rcp_steps_calls_intrinsic(i, "llvm.eh.sjlj.setjmp") || rcp_steps_calls_intrinsic(i, "llvm.eh.sjlj.longjmp"))
            return "__builtin_setjmp or __builtin_longjmp (setjmp and longjmp are recorded)";
        if (rcp_steps_calls_intrinsic(i, "llvm.localescape"))
            return "stack objects that another function uses";
        if (is_machines_access(i))
            return "an intrinsic of this machine's that touches memory";
        return NULL;
    default: return NULL;
    }
}

static const char *function_reason(LLVMValueRef f, LLVMValueRef *at) {
    if (rcp_unit_has_attribute(f, "naked"))
        return "it is naked";
    if (rcp_unit_has_attribute(f, "presplitcoroutine"))
        return "it is a coroutine";
    if (rcp_unit_has_attribute(f, "disable_sanitizer_instrumentation"))
        return "its attribute disable_sanitizer_instrumentation says so";
    for (LLVMValueRef p = LLVMGetFirstParam(f); p; p = LLVMGetNextParam(p))
        if (type_reason(LLVMTypeOf(p)))
            return type_reason(LLVMTypeOf(p));
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            const char *why = instruction_reason(i);
            if (why) {
                *at = i;
                return why;
            }
        }
    return NULL;
}

bool rcp_opaque_is(LLVMValueRef function) {
    return LLVMGetStringAttributeAtIndex(function, LLVMAttributeFunctionIndex, RCP_OPAQUE_ATTRIBUTE,
                                         sizeof RCP_OPAQUE_ATTRIBUTE - 1);
}

void rcp_opaque_set(rcp_pass_unit *unit, LLVMValueRef function, const char *why) {
    LLVMAddAttributeAtIndex(function, LLVMAttributeFunctionIndex,
                            LLVMCreateStringAttribute(unit->context, RCP_OPAQUE_ATTRIBUTE,
                                                      sizeof RCP_OPAQUE_ATTRIBUTE - 1, why, (unsigned)strlen(why)));
}

static void mark(rcp_pass_unit *unit, LLVMValueRef function, LLVMValueRef at, const char *why) {
    if (rcp_opaque_is(function))
        return;
    size_t len;
    rcp_opaque_set(unit, function, why);
    rcp_unit_note(unit, at, "function '%s' is not recorded: %s", LLVMGetValueName2(function, &len), why);
    unit->report->opaque++;
}

static bool fits_name(const char *pattern, const char *name) { return !fnmatch(pattern, name, 0); }

static bool is_file_pattern(const char *pattern) { return strpbrk(pattern, "./") != NULL; }

/* A path fits from any of its directories on. */
static bool fits_file(const char *pattern, const char *path) {
    if (!is_file_pattern(pattern))
        return false;
    for (const char *at = path; at; at = strchr(at, '/') ? strchr(at, '/') + 1 : NULL)
        if (!fnmatch(pattern, at, 0))
            return true;
    return false;
}

/* Is it among the patterns, as they are separated by commas? */
static bool is_named(const char *patterns, const char *name, bool (*fits)(const char *pattern, const char *name)) {
    for (const char *at = patterns; at && *at;) {
        size_t n = strcspn(at, ",");
        char pattern[512];
        if (n < sizeof pattern) {
            memcpy(pattern, at, n);
            pattern[n] = 0;
            if (fits(pattern, name))
                return true;
        }
        at += n + (at[n] == ',');
    }
    return false;
}

/* Where the function was written: its own file, if debug information says so. */
static bool is_of_excluded_file(const rcp_pass_unit *unit, LLVMValueRef function) {
    LLVMMetadataRef subprogram = LLVMGetSubprogram(function);
    LLVMMetadataRef file = subprogram ? LLVMDIScopeGetFile(subprogram) : NULL;
    unsigned len = 0;
    size_t source_len;
    const char *own = file ? LLVMDIFileGetFilename(file, &len) : NULL;
    const char *source = LLVMGetSourceFileName(unit->module, &source_len);
    char path[4096];
    if (own && len < sizeof path) {
        memcpy(path, own, len);
        path[len] = 0;
        return is_named(unit->exclude, path, fits_file);
    }
    return is_named(unit->exclude, source, fits_file);
}

static void mark_refused(void *context, LLVMValueRef function, LLVMValueRef at, const char *why) {
    rcp_text reason = {0};
    rcp_text_printf(&reason, "re-execution has no notion of %s", why);
    mark(context, function, at ? at : function, reason.at);
    rcp_text_finish(&reason);
}

rcp_code rcp_opaque_mark_refused(rcp_pass_unit *unit) {
    /* Who calls one that has just been marked leaves now: that may be refused in turn. */
    for (uint32_t before = UINT32_MAX; before != unit->report->opaque;) {
        before = unit->report->opaque;
        RCP_TRY(rcp_decodable_check(unit->module, mark_refused, unit));
    }
    return RCP_OK;
}

/* NULL: it is to be recorded, or not here. */
static const char *opaque_reason(const rcp_pass_unit *unit, LLVMValueRef f, LLVMValueRef *at) {
    size_t len;
    if (LLVMIsDeclaration(f))
        return NULL;
    const char *why = function_reason(f, at);
    if (why)
        return why;
    if (rcp_outside_resolve(LLVMGetValueName2(f, &len)).annotation.what)
        return "it is an annotation";
    if (is_named(unit->log_values, LLVMGetValueName2(f, &len), fits_name))
        return "--log-values names it";
    if (unit->exclude &&
        (is_named(unit->exclude, LLVMGetValueName2(f, &len), fits_name) || is_of_excluded_file(unit, f)))
        return "--exclude names it";
    return NULL;
}

bool rcp_opaque_will_be(const rcp_pass_unit *unit, LLVMValueRef function) {
    LLVMValueRef at = function;
    return opaque_reason(unit, function, &at);
}

/* What the user has kept from TSan is recorded as all else is; the report leaves it out. */
static void mark_spared(rcp_pass_unit *unit) {
    for (LLVMValueRef f = LLVMGetFirstFunction(unit->module); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f) && !rcp_unit_has_attribute(f, "sanitize_thread"))
            LLVMAddAttributeAtIndex(
                f, LLVMAttributeFunctionIndex,
                LLVMCreateStringAttribute(unit->context, RCP_SPARED_ATTRIBUTE, sizeof RCP_SPARED_ATTRIBUTE - 1, "", 0));
}

void rcp_opaque_mark(rcp_pass_unit *unit) {
    if (unit->spares)
        mark_spared(unit);
    for (LLVMValueRef i = LLVMGetFirstGlobalIFunc(unit->module); i; i = LLVMGetNextGlobalIFunc(i)) {
        LLVMValueRef resolver = LLVMIsAFunction(LLVMGetGlobalIFuncResolver(i));
        if (resolver && !LLVMIsDeclaration(resolver))
            mark(unit, resolver, resolver, "the loader runs it before the program has begun (ifunc)");
    }
    for (LLVMValueRef f = LLVMGetFirstFunction(unit->module); f; f = LLVMGetNextFunction(f)) {
        LLVMValueRef at = f;
        const char *why = opaque_reason(unit, f, &at);
        if (why)
            mark(unit, f, at, why);
    }
}
