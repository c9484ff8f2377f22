/* SPDX-License-Identifier: Apache-2.0 */
#include "instrument/loops.h"

bool rcp_loop_has_block(const rcp_loop *loop, LLVMBasicBlockRef block) {
    for (unsigned i = 0; i < loop->n; i++)
        if (loop->blocks[i] == block)
            return true;
    return false;
}

bool rcp_loop_has(const rcp_loop *loop, LLVMValueRef value) {
    return LLVMIsAInstruction(value) && rcp_loop_has_block(loop, LLVMGetInstructionParent(value));
}

static bool is_branch(LLVMValueRef end) { return end && LLVMGetInstructionOpcode(end) == LLVMBr; }

/* Every block that branches to `block`, into the loop's blocks. False: it is reached in another way, or the loop is too
 * large. The one block outside that leads to the head is kept in `before`. */
static bool add_predecessors(rcp_loop *loop, LLVMBasicBlockRef block) {
    for (LLVMUseRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(block)); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (!LLVMIsAInstruction(user) || !is_branch(user))
            return false;
        LLVMBasicBlockRef from = LLVMGetInstructionParent(user);
        if (rcp_loop_has_block(loop, from))
            continue;
        if (block == loop->blocks[0]) {
            if (loop->before || LLVMIsConditional(user))
                return false;
            loop->before = from;
            continue;
        }
        if (loop->n == RCP_LOOP_BLOCKS)
            return false;
        loop->blocks[loop->n++] = from;
    }
    return true;
}

static bool is_among(const LLVMBasicBlockRef *blocks, unsigned n, LLVMBasicBlockRef block) {
    for (unsigned i = 0; i < n; i++)
        if (blocks[i] == block)
            return true;
    return false;
}

/* Can `to` be reached from `block` without going round, and without the `n` blocks to be avoided? */
static bool reaches(const rcp_loop *loop, LLVMBasicBlockRef block, LLVMBasicBlockRef to,
                    const LLVMBasicBlockRef *avoided, unsigned n, unsigned depth) {
    if (is_among(avoided, n, block))
        return false;
    if (block == to)
        return true;
    if (block == loop->latch || depth > RCP_LOOP_BLOCKS)
        return false;
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
    for (unsigned i = 0, count = LLVMGetNumSuccessors(end); i < count; i++)
        if (reaches(loop, LLVMGetSuccessor(end, i), to, avoided, n, depth + 1))
            return true;
    return false;
}

bool rcp_loop_always_runs_one(const rcp_loop *loop, const LLVMBasicBlockRef *blocks, unsigned n) {
    return !reaches(loop, loop->blocks[0], loop->latch, blocks, n, 0);
}

static uint32_t index_of(const rcp_loop *loop, LLVMBasicBlockRef block) {
    unsigned i = 0;
    while (loop->blocks[i] != block)
        i++;
    return i;
}

/* From `block` to the latch; UINT32_MAX: it depends. */
static uint32_t weigh(const rcp_loop *loop, const uint32_t *weights, LLVMBasicBlockRef block) {
    uint32_t own = weights[index_of(loop, block)], rest = 0;
    if (block == loop->latch)
        return own;
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
    for (unsigned i = 0, n = LLVMGetNumSuccessors(end); i < n; i++) {
        uint32_t there = weigh(loop, weights, LLVMGetSuccessor(end, i));
        if (there == UINT32_MAX || (i && there != rest))
            return UINT32_MAX;
        rest = there;
    }
    return own + rest;
}

bool rcp_loop_weigh(const rcp_loop *loop, const uint32_t *weights, uint32_t *sum) {
    *sum = weigh(loop, weights, loop->blocks[0]);
    return *sum != UINT32_MAX;
}

/* No way in but at the head, no way out but at the latch, and no loop within: from no block is it possible to come back
 * to it, but through the latch. */
static bool is_closed(const rcp_loop *loop) {
    for (unsigned i = 0; i < loop->n; i++) {
        LLVMBasicBlockRef block = loop->blocks[i];
        LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
        if (!reaches(loop, loop->blocks[0], block, NULL, 0, 0))
            return false;
        if (block == loop->latch)
            continue;
        if (!is_branch(end))
            return false;
        for (unsigned s = 0, n = LLVMGetNumSuccessors(end); s < n; s++) {
            LLVMBasicBlockRef next = LLVMGetSuccessor(end, s);
            if (!rcp_loop_has_block(loop, next) || next == loop->blocks[0] || reaches(loop, next, block, NULL, 0, 0))
                return false;
        }
    }
    return true;
}

static bool is_used_well(const rcp_loop *loop, LLVMValueRef i) {
    for (LLVMUseRef use = LLVMGetFirstUse(i); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (!LLVMIsAInstruction(user))
            return false;
        LLVMBasicBlockRef at = LLVMGetInstructionParent(user);
        if (!rcp_loop_has_block(loop, at) && !(at == loop->after && LLVMIsAPHINode(user)))
            return false;
    }
    return true;
}

static bool are_used_well(const rcp_loop *loop) {
    for (unsigned b = 0; b < loop->n; b++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(loop->blocks[b]); i; i = LLVMGetNextInstruction(i))
            if (!is_used_well(loop, i))
                return false;
    return true;
}

/* `end` is a conditional branch whose side `side` would be the way round. */
static bool find(rcp_loop *loop, LLVMValueRef end, unsigned side) {
    LLVMBasicBlockRef head = LLVMGetSuccessor(end, side);
    *loop = (rcp_loop){.latch = LLVMGetInstructionParent(end),
                       .after = LLVMGetSuccessor(end, !side),
                       .condition = LLVMGetCondition(end),
                       .goes_on = !side,
                       .blocks = {head},
                       .n = 1};
    if (loop->after == head)
        return false;
    if (loop->latch != head)
        loop->blocks[loop->n++] = loop->latch;
    for (unsigned i = 0; i < loop->n; i++)
        if (!add_predecessors(loop, loop->blocks[i]))
            return false;
    return loop->before && !rcp_loop_has_block(loop, loop->after) && is_closed(loop) && are_used_well(loop);
}

void rcp_loops_of(LLVMValueRef function, rcp_loops *loops) {
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b)) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(b);
        if (!is_branch(end) || !LLVMIsConditional(end))
            continue;
        rcp_loop loop;
        for (unsigned side = 0; side < 2; side++)
            if (find(&loop, end, side))
                rcp_vec_push(loops, loop);
    }
}
