/* SPDX-License-Identifier: Apache-2.0 */
#include "instrument/vptrs.h"

#include "instrument/blocks.h"

#include <llvm-c/DebugInfo.h>
#include <string.h>

static const char *name_of(LLVMValueRef global) {
    size_t len;
    return LLVMGetValueName2(global, &len);
}

/* _Z…D0Ev, D1, D2 (_ZZ… of a class within a function): the name of a function like xD2() ends so, too, but it stores no
 * virtual pointer. */
static bool is_destructor(LLVMValueRef function) {
    const char *name = name_of(function);
    size_t n = strcspn(name, "."); /* what LLVM and recipe add */
    return n > 4 && !strncmp(name, "_Z", 2) && name[n - 4] == 'D' && name[n - 3] >= '0' && name[n - 3] <= '2' &&
           !strncmp(name + n - 2, "Ev", 2);
}

static LLVMValueRef base_of(LLVMValueRef pointer) {
    while (LLVMIsAGetElementPtrInst(pointer) ||
           (LLVMIsAConstantExpr(pointer) && LLVMGetConstOpcode(pointer) == LLVMGetElementPtr))
        pointer = LLVMGetOperand(pointer, 0);
    return pointer;
}

static bool is_table(LLVMValueRef value, const char *prefix) {
    return LLVMIsAGlobalVariable(value) && !strncmp(name_of(value), prefix, strlen(prefix));
}

/* An address in a table of virtual functions (_ZTV, while a base is destroyed _ZTC); or what a table of such addresses
 * holds, which destructors of classes with virtual bases are handed as their second argument. */
static bool is_vptr(LLVMValueRef value) {
    LLVMValueRef base = base_of(value);
    if (LLVMIsALoadInst(base)) {
        LLVMValueRef from = base_of(LLVMGetOperand(base, 0));
        LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(base));
        return is_table(from, "_ZTT") || (LLVMCountParams(function) > 1 && from == LLVMGetParam(function, 1));
    }
    return is_table(base, "_ZTV") || is_table(base, "_ZTC");
}

static void compare(rcp_pass_unit *unit, LLVMBuilderRef builder, LLVMValueRef store) {
    LLVMValueRef vptr = LLVMGetOperand(store, 0), at = LLVMGetOperand(store, 1);
    LLVMBasicBlockRef before = rcp_blocks_split(unit, store), rest = LLVMGetInstructionParent(store);
    LLVMBasicBlockRef writes = LLVMInsertBasicBlockInContext(unit->context, rest, "");
    LLVMPositionBuilderAtEnd(builder, before);
    LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(store));
    LLVMValueRef now = LLVMBuildLoad2(builder, unit->ptr, at, "");
    LLVMSetAlignment(now, LLVMGetAlignment(store));
    LLVMBuildCondBr(builder, LLVMBuildICmp(builder, LLVMIntNE, now, vptr, ""), writes, rest);
    LLVMInstructionRemoveFromParent(store);
    LLVMPositionBuilderAtEnd(builder, writes);
    LLVMInsertIntoBuilder(builder, store);
    LLVMBuildBr(builder, rest);
}

void rcp_vptrs_compare(rcp_pass_unit *unit, LLVMValueRef function) {
    if (!is_destructor(function))
        return;
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(unit->context);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b), next; i; i = next) {
            next = LLVMGetNextInstruction(i); /* in the same block: what is before goes to another */
            if (LLVMIsAStoreInst(i) && LLVMGetOrdering(i) == LLVMAtomicOrderingNotAtomic &&
                is_vptr(LLVMGetOperand(i, 0)))
                compare(unit, builder, i);
        }
    LLVMDisposeBuilder(builder);
}
