/* SPDX-License-Identifier: Apache-2.0 */
/* Control: branches, switches, returns, landing pads. */
#include "program/ir/state.h"

#include <stdlib.h>

/* Of a branch that is no event 0; -1 where it is logged nevertheless. */
static int32_t left_of(rcp_decoding *d, LLVMValueRef i) {
    const rcp_step *step = rcp_step_of(d, i);
    return step ? (int32_t)step->left : d->unit->logs_branches ? -1 : 0;
}

static void decode_branch(rcp_decoding *d, LLVMValueRef i) {
    LLVMBasicBlockRef block = LLVMGetInstructionParent(i), target = LLVMGetSuccessor(i, 0);
    if (!LLVMIsConditional(i)) {
        const rcp_step *step = rcp_step_of(d, i);
        if (!step) {
            rcp_emit_edge(d, block, target);
            return;
        }
        /* The moves come first, so that one instruction is both the event and the jump: nobody sees the order. */
        rcp_emit_phis(d, block, target);
        rcp_fixup way = {
            .which = RCP_FIX_C, .is_direct = true, .at = d->routine->code.len, .from = block, .to = target};
        rcp_emit(d, RCP_INS_TICK, (int32_t)step->left, 0, 0);
        rcp_branch_to(d, way);
        return;
    }
    LLVMValueRef condition = LLVMGetCondition(i);
    LLVMValueRef compare = LLVMIsAICmpInst(condition);
    rcp_ins *branch;
    if (compare && rcp_is_fused(d, compare)) {
        rcp_scalar scalar = rcp_scalar_of(d, LLVMTypeOf(LLVMGetOperand(compare, 0)));
        int32_t a = rcp_slot(d, LLVMGetOperand(compare, 0)), b = rcp_slot(d, LLVMGetOperand(compare, 1));
        branch =
            rcp_emit(d, (rcp_ins_op)(RCP_INS_J_EQ + (LLVMGetICmpPredicate(compare) - LLVMIntEQ)), left_of(d, i), a, b);
        branch->k = (uint16_t)(64 - RCP_SCALAR_BITS(scalar));
    } else
        branch = rcp_emit(d, RCP_INS_BRANCH, left_of(d, i), rcp_slot(d, condition), 0);
    size_t at = d->routine->code.len - 1;
    rcp_branch_to(d, (rcp_fixup){.which = RCP_FIX_C, .at = at, .from = block, .to = target});
    rcp_branch_to(d, (rcp_fixup){.which = RCP_FIX_E, .at = at, .from = block, .to = LLVMGetSuccessor(i, 1)});
}

typedef struct choice {
    uint64_t key;
    LLVMBasicBlockRef to;
} choice;

static int by_key(const void *a, const void *b) {
    uint64_t x = ((const choice *)a)->key, y = ((const choice *)b)->key;
    return x < y ? -1 : x > y;
}

/* Dense where at least a quarter of the range is used. Entries of the range that no case has go to `otherwise`. */
static void fill_switch(rcp_decoding *d, size_t at, LLVMBasicBlockRef block, choice *choices, size_t n,
                        LLVMBasicBlockRef otherwise) {
    rcp_switch table = {0};
    uint32_t index = (uint32_t)d->routine->switches.len;
    qsort(choices, n, sizeof *choices, by_key);
    uint64_t span = n ? choices[n - 1].key - choices[0].key : 0;
    bool dense = n && span < 4 * (uint64_t)n + 16;
    if (dense) {
        table.low = choices[0].key;
        for (uint64_t i = 0; i <= span; i++)
            rcp_vec_push(&table.targets, 0);
    } else
        for (size_t i = 0; i < n; i++) {
            rcp_vec_push(&table.keys, choices[i].key);
            rcp_vec_push(&table.targets, 0);
        }
    rcp_vec_push(&d->routine->switches, table);
    for (size_t i = 0; i < n; i++)
        rcp_branch_to(d, (rcp_fixup){.which = RCP_FIX_TARGET,
                                     .at = at,
                                     .index = index,
                                     .target = dense ? (uint32_t)(choices[i].key - table.low) : (uint32_t)i,
                                     .from = block,
                                     .to = choices[i].to});
    if (otherwise)
        rcp_branch_to(
            d, (rcp_fixup){.which = RCP_FIX_OTHERWISE, .at = at, .index = index, .from = block, .to = otherwise});
}

static void decode_switch(rcp_decoding *d, LLVMValueRef i) {
    LLVMBasicBlockRef block = LLVMGetInstructionParent(i);
    LLVMValueRef condition = LLVMGetOperand(i, 0);
    if (rcp_slots_of(d, LLVMTypeOf(condition)) != 1) {
        rcp_refuse_decode(d, "a switch over more than 64 bits");
        return;
    }
    size_t at = d->routine->code.len;
    rcp_emit(d, RCP_INS_SWITCH, left_of(d, i), rcp_slot(d, condition), 0)->c = (int32_t)d->routine->switches.len;
    RCP_VEC(choice) choices = {0};
    for (unsigned k = 1, n = LLVMGetNumSuccessors(i); k < n; k++)
        rcp_vec_push(&choices, ((choice){LLVMConstIntGetZExtValue(LLVMGetOperand(i, 2 * k)), LLVMGetSuccessor(i, k)}));
    fill_switch(d, at, block, choices.at, choices.len, LLVMGetSwitchDefaultDest(i));
    rcp_vec_finish(&choices);
}

static void decode_indirect(rcp_decoding *d, LLVMValueRef i) {
    LLVMBasicBlockRef block = LLVMGetInstructionParent(i);
    size_t at = d->routine->code.len;
    rcp_emit(d, RCP_INS_INDIRECT, left_of(d, i), rcp_slot(d, LLVMGetOperand(i, 0)), 0)->c =
        (int32_t)d->routine->switches.len;
    RCP_VEC(choice) choices = {0};
    for (unsigned k = 0, n = LLVMGetNumSuccessors(i); k < n; k++) {
        LLVMBasicBlockRef to = LLVMGetSuccessor(i, k);
        uint32_t index = rcp_map_get(&d->unit->block_index, (uint64_t)(uintptr_t)to);
        if (index != RCP_MAP_NONE)
            rcp_vec_push(&choices, ((choice){d->unit->block_addresses[index], to}));
    }
    fill_switch(d, at, block, choices.at, choices.len, NULL);
    rcp_vec_finish(&choices);
}

bool rcp_decode_control(rcp_decoding *d, LLVMValueRef i, LLVMOpcode op) {
    switch (op) {
    case LLVMBr: decode_branch(d, i); return true;
    case LLVMSwitch: decode_switch(d, i); return true;
    case LLVMIndirectBr: decode_indirect(d, i); return true;
    case LLVMRet: {
        uint32_t n = LLVMGetNumOperands(i) ? rcp_slots_of(d, LLVMTypeOf(LLVMGetOperand(i, 0))) : 0;
        rcp_emit(d, RCP_INS_RETURN, (int32_t)n, n ? rcp_slot(d, LLVMGetOperand(i, 0)) : 0, 0);
        return true;
    }
    case LLVMResume: rcp_emit(d, RCP_INS_RESUME, 0, 0, 0); return true;
    case LLVMLandingPad: rcp_emit(d, RCP_INS_LANDING, rcp_slot(d, i), 0, 0); return true;
    case LLVMUnreachable: rcp_emit(d, RCP_INS_UNREACHABLE, 0, 0, 0); return true;
    default: return false;
    }
}
