/* SPDX-License-Identifier: Apache-2.0 */
#include "instrument/machine_clocks.h"

#include "program/ir/steps.h"

#include <ctype.h>
#include <llvm-c/DebugInfo.h>
#include <string.h>

enum { LONGEST_NAME = 16 };

/* The counter among aarch64's registers that the call reads, in small letters: assembly is compared so. */
static bool name_register(LLVMValueRef call, char name[LONGEST_NAME]) {
    static const char *const counters[] = {"cntvct_el0", "cntpct_el0", "cntvctss_el0", "cntpctss_el0", "pmccntr_el0"};
    if (!rcp_steps_calls_intrinsic(call, "llvm.read_register") &&
        !rcp_steps_calls_intrinsic(call, "llvm.read_volatile_register"))
        return false;
    LLVMValueRef string = NULL, node = LLVMGetArgOperand(call, 0);
    if (LLVMGetMDNodeNumOperands(node) == 1)
        LLVMGetMDNodeOperands(node, &string);
    unsigned len = 0;
    const char *text = string ? LLVMGetMDString(string, &len) : NULL;
    if (!text || len >= LONGEST_NAME)
        return false;
    for (unsigned i = 0; i < len; i++)
        name[i] = (char)tolower((unsigned char)text[i]);
    name[len] = 0;
    for (size_t i = 0; i < sizeof counters / sizeof *counters; i++)
        if (!strcmp(name, counters[i]))
            return true;
    return false;
}

static LLVMValueRef build_assembly(LLVMBuilderRef b, LLVMTypeRef type, const char *text, const char *constraints,
                                   LLVMValueRef *argument, unsigned n) {
    LLVMValueRef assembly = LLVMGetInlineAsm(type, text, strlen(text), constraints, strlen(constraints), true, false,
                                             LLVMInlineAsmDialectATT, false);
    return LLVMBuildCall2(b, type, assembly, argument, n, "");
}

static LLVMValueRef build_mrs(rcp_pass_unit *unit, LLVMBuilderRef b, const char *name) {
    rcp_text text = {0};
    rcp_text_puts(&text, "mrs $0, ");
    rcp_text_puts(&text, name);
    LLVMValueRef value = build_assembly(b, LLVMFunctionType(unit->i64, NULL, 0, false), text.at, "=r", NULL, 0);
    rcp_text_finish(&text);
    return value;
}

/* The two halves of what x86_64 answers; `third` is what it says beside that, where that is asked for. */
static LLVMValueRef build_halves(rcp_pass_unit *unit, LLVMBuilderRef b, const char *text, LLVMValueRef *which,
                                 LLVMValueRef *third) {
    const char *constraints = which   ? "={ax},={dx},{cx},~{dirflag},~{fpsr},~{flags}"
                              : third ? "={ax},={dx},={cx},~{dirflag},~{fpsr},~{flags}"
                                      : "={ax},={dx},~{dirflag},~{fpsr},~{flags}";
    LLVMTypeRef parts[] = {unit->i32, unit->i32, unit->i32};
    LLVMTypeRef result = LLVMStructTypeInContext(unit->context, parts, third ? 3 : 2, false);
    LLVMTypeRef type = LLVMFunctionType(result, parts, which ? 1 : 0, false);
    LLVMValueRef answer = build_assembly(b, type, text, constraints, which, which ? 1 : 0);
    LLVMValueRef low = LLVMBuildZExt(b, LLVMBuildExtractValue(b, answer, 0, ""), unit->i64, "");
    LLVMValueRef high = LLVMBuildZExt(b, LLVMBuildExtractValue(b, answer, 1, ""), unit->i64, "");
    if (third)
        *third = LLVMBuildExtractValue(b, answer, 2, "");
    return LLVMBuildOr(b, LLVMBuildShl(b, high, LLVMConstInt(unit->i64, 32, false), ""), low, "");
}

/* NULL: the call reads no counter. */
static LLVMValueRef build_reading(rcp_pass_unit *unit, LLVMBuilderRef b, LLVMValueRef call) {
    char name[LONGEST_NAME];
    bool reads_any = rcp_steps_calls_intrinsic(call, "llvm.readcyclecounter");
    if (unit->arch == RCP_ARCH_AARCH64) {
        if (reads_any)
            return build_mrs(unit, b, "cntvct_el0");
        if (LLVMTypeOf(call) == unit->i64 && name_register(call, name))
            return build_mrs(unit, b, name);
        return NULL;
    }
    if (reads_any || rcp_steps_calls_intrinsic(call, "llvm.x86.rdtsc"))
        return build_halves(unit, b, "rdtsc", NULL, NULL);
    if (rcp_steps_calls_intrinsic(call, "llvm.x86.rdpmc")) {
        LLVMValueRef which = LLVMGetArgOperand(call, 0);
        return build_halves(unit, b, "rdpmc", &which, NULL);
    }
    if (rcp_steps_calls_intrinsic(call, "llvm.x86.rdtscp")) {
        LLVMValueRef processor, ticks = build_halves(unit, b, "rdtscp", NULL, &processor);
        LLVMValueRef both = LLVMBuildInsertValue(b, LLVMConstNull(LLVMTypeOf(call)), ticks, 0, "");
        return LLVMBuildInsertValue(b, both, processor, 1, "");
    }
    return NULL;
}

void rcp_machine_clocks_replace(rcp_pass_unit *unit) {
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(unit->context);
    for (LLVMValueRef f = LLVMGetFirstFunction(unit->module); f; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
            for (LLVMValueRef i = LLVMGetFirstInstruction(b), next; i; i = next) {
                next = LLVMGetNextInstruction(i);
                if (!LLVMIsACallInst(i))
                    continue;
                LLVMPositionBuilderBefore(builder, i);
                LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(i));
                LLVMValueRef reading = build_reading(unit, builder, i);
                if (!reading)
                    continue;
                LLVMReplaceAllUsesWith(i, reading);
                LLVMInstructionEraseFromParent(i);
            }
    LLVMDisposeBuilder(builder);
}
