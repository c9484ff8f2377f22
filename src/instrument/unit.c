/* SPDX-License-Identifier: Apache-2.0 */
#include "instrument/unit.h"

#include <llvm-c/Analysis.h>
#include <llvm-c/Error.h>
#include <llvm-c/IRReader.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* LLVM's own handler prints, and exits on an error. */
static void collect(LLVMDiagnosticInfoRef info, void *unit) {
    if (LLVMGetDiagInfoSeverity(info) != LLVMDSError)
        return;
    char *text = LLVMGetDiagInfoDescription(info);
    rcp_text *errors = &((rcp_pass_unit *)unit)->errors;
    rcp_text_printf(errors, "%s%s", errors->len ? "; " : "", text);
    LLVMDisposeMessage(text);
}

rcp_code rcp_unit_parse(rcp_pass_unit *unit, const char *path, LLVMModuleRef *module) {
    LLVMMemoryBufferRef buffer;
    char *why = NULL;
    if (LLVMCreateMemoryBufferWithContentsOfFile(path, &buffer, &why)) {
        rcp_code code = rcp_fail(RCP_SYSTEM, "%s: can't be read: %s", path, why);
        LLVMDisposeMessage(why);
        return code;
    }
    if (LLVMParseIRInContext(unit->context, buffer, module, &why)) {
        rcp_code code = rcp_fail(RCP_BAD_INPUT, "%s is no bitcode of LLVM 19: %s %s", path, why ? why : "",
                                 unit->errors.len ? unit->errors.at : "");
        LLVMDisposeMessage(why);
        return code;
    }
    return RCP_OK;
}

static bool has_flag(LLVMModuleRef module, const char *name) { return LLVMGetModuleFlag(module, name, strlen(name)); }

rcp_code rcp_unit_init(rcp_pass_unit *unit, const char *path, rcp_instrument_report *report) {
    *unit = (rcp_pass_unit){.context = LLVMContextCreate(), .report = report};
    LLVMContextRef c = unit->context;
    LLVMContextSetDiagnosticHandler(c, collect, unit);
    unit->void_type = LLVMVoidTypeInContext(c);
    unit->i1 = LLVMInt1TypeInContext(c);
    unit->i8 = LLVMInt8TypeInContext(c);
    unit->i32 = LLVMInt32TypeInContext(c);
    unit->i64 = LLVMInt64TypeInContext(c);
    unit->ptr = LLVMPointerTypeInContext(c, 0);
    RCP_TRY(rcp_unit_parse(unit, path, &unit->module));
    const char *triple = LLVMGetTarget(unit->module);
    if (!strncmp(triple, "aarch64-", 8))
        unit->arch = RCP_ARCH_AARCH64;
    else if (!strncmp(triple, "x86_64-", 7))
        unit->arch = RCP_ARCH_X86_64;
    else
        return rcp_fail(RCP_BAD_INPUT, "%s: compiled for %s; recipe records aarch64 and x86_64 Linux programs", path,
                        *triple ? triple : "no target");
    if (!strstr(triple, "linux"))
        return rcp_fail(RCP_BAD_INPUT, "%s: compiled for %s; recipe records Linux programs", path, triple);
    unit->layout = LLVMCreateTargetData(LLVMGetDataLayoutStr(unit->module));
    unit->shared = has_flag(unit->module, "PIC Level") && !has_flag(unit->module, "PIE Level");
    return RCP_OK;
}

void rcp_unit_finish(rcp_pass_unit *unit) {
    if (unit->layout)
        LLVMDisposeTargetData(unit->layout);
    if (unit->module)
        LLVMDisposeModule(unit->module);
    if (unit->context)
        LLVMContextDispose(unit->context);
    rcp_text_finish(&unit->errors);
    *unit = (rcp_pass_unit){0};
}

rcp_code rcp_unit_verify(rcp_pass_unit *unit, const char *after) {
    char *why = NULL;
    rcp_code code = RCP_OK;
    if (LLVMVerifyModule(unit->module, LLVMReturnStatusAction, &why)) {
        /* The verifier says what, not where. */
        const char *function = "";
        for (LLVMValueRef f = LLVMGetFirstFunction(unit->module); f && !*function; f = LLVMGetNextFunction(f)) {
            size_t len;
            if (!LLVMIsDeclaration(f) && LLVMVerifyFunction(f, LLVMReturnStatusAction))
                function = LLVMGetValueName2(f, &len);
        }
        size_t len;
        code = rcp_fail(RCP_INTERNAL, "%s: the code is broken after %s, in function '%s': %s",
                        LLVMGetSourceFileName(unit->module, &len), after, function, why);
    }
    LLVMDisposeMessage(why);
    return code;
}

rcp_code rcp_unit_run(rcp_pass_unit *unit, const char *passes) {
    LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
    LLVMErrorRef error = LLVMRunPasses(unit->module, passes, NULL, options);
    LLVMDisposePassBuilderOptions(options);
    if (!error)
        return RCP_OK;
    char *text = LLVMGetErrorMessage(error);
    rcp_code code = rcp_fail(RCP_INTERNAL, "LLVM refused the passes '%s': %s", passes, text);
    LLVMDisposeErrorMessage(text);
    return code;
}

void rcp_unit_note(rcp_pass_unit *unit, LLVMValueRef at, const char *format, ...) {
    rcp_text *notes = &unit->report->notes;
    unsigned file_len = 0, line = LLVMGetDebugLocLine(at);
    const char *file = LLVMGetDebugLocFilename(at, &file_len);
    size_t len;
    if (file_len)
        rcp_text_add(notes, file, file_len);
    else
        rcp_text_puts(notes, LLVMGetSourceFileName(unit->module, &len));
    if (line)
        rcp_text_printf(notes, ":%u", line);
    char text[512];
    va_list rest;
    va_start(rest, format);
    vsnprintf(text, sizeof text, format, rest);
    va_end(rest);
    rcp_text_printf(notes, ": %s\n", text);
}

unsigned rcp_unit_attribute(const char *name) { return LLVMGetEnumAttributeKindForName(name, strlen(name)); }

bool rcp_unit_has_attribute(LLVMValueRef function, const char *name) {
    return LLVMGetEnumAttributeAtIndex(function, LLVMAttributeFunctionIndex, rcp_unit_attribute(name));
}

LLVMValueRef rcp_unit_build_intrinsic(rcp_pass_unit *unit, LLVMBuilderRef builder, const char *name, LLVMTypeRef *types,
                                      size_t n_types, LLVMValueRef *arguments, unsigned n_arguments) {
    unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
    RCP_CHECK(id);
    LLVMValueRef function = LLVMGetIntrinsicDeclaration(unit->module, id, types, n_types);
    return LLVMBuildCall2(builder, LLVMGlobalGetValueType(function), function, arguments, n_arguments, "");
}
