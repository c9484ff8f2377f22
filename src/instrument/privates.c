/* SPDX-License-Identifier: Apache-2.0 */
#include "instrument/privates.h"

#include "base/vec.h"
#include "program/ir/frame.h"
#include "program/ir/steps.h"

typedef RCP_VEC(LLVMValueRef) values;

static bool is_plain(LLVMValueRef access) {
    return !LLVMGetVolatile(access) && LLVMGetOrdering(access) == LLVMAtomicOrderingNotAtomic;
}

static bool is_memory_intrinsic(LLVMValueRef call) {
    static const char *const names[] = {"llvm.memcpy", "llvm.memmove", "llvm.memset"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (rcp_steps_calls_intrinsic(call, names[i]))
            return true;
    return false;
}

/* Is that all that is done with the address? Its loads are added to `loads`. */
static bool stays(LLVMValueRef address, values *loads) {
    for (LLVMUseRef use = LLVMGetFirstUse(address); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (!LLVMIsAInstruction(user))
            return false;
        switch (LLVMGetInstructionOpcode(user)) {
        case LLVMLoad:
            if (!is_plain(user))
                return false;
            rcp_vec_push(loads, user);
            break;
        case LLVMStore:
            if (!is_plain(user) || LLVMGetOperand(user, 0) == address)
                return false;
            break;
        case LLVMGetElementPtr:
            if (LLVMGetOperand(user, 0) != address || !stays(user, loads))
                return false;
            break;
        case LLVMCall:
            if (!is_memory_intrinsic(user))
                return false;
            break;
        default: return false;
        }
    }
    return true;
}

void rcp_privates_find(LLVMValueRef function, rcp_map *loads) {
    values found = {0};
    for (LLVMValueRef i = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function)); i; i = LLVMGetNextInstruction(i)) {
        if (!LLVMIsAAllocaInst(i) || !rcp_frame_is_static(i))
            continue;
        found.len = 0;
        if (!stays(i, &found))
            continue;
        for (size_t n = 0; n < found.len; n++)
            rcp_map_set(loads, (uintptr_t)found.at[n], 1);
    }
    rcp_vec_finish(&found);
}
