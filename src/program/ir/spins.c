/* SPDX-License-Identifier: Apache-2.0 */
#include "program/ir/spins.h"

#include "base/map.h"
#include "outside/outside.h"
#include "program/ir/steps.h"

#include <string.h>

/* What a value of the loop hangs on. */
enum {
    READ = 1, /* what was read in this round, or in the one before */
    STATE = 2 /* how often the loop has gone round, or what it has worked out so far */
};

enum { DEEPEST = 4, MOST_INSTRUCTIONS = 400 };

typedef struct loop {
    LLVMBasicBlockRef head, latch;
    LLVMBasicBlockRef blocks[RCP_SPIN_BLOCKS];
    LLVMValueRef call[RCP_SPIN_BLOCKS]; /* the first that may do something; NULL: there is none */
    bool is_busy[RCP_SPIN_BLOCKS];      /* there is, or a store that others can see */
    unsigned n;
    rcp_map masks; /* value → what it hangs on */
} loop;

/* --- instructions --- */

/* What is said in one word of an architecture's assembly; "rep; nop" is how old code says "pause". */
static bool is_hint(const char *text, size_t len) {
    static const char *const words[] = {"yield", "pause", "wfe", "isb", "nop", "rep", "sevl", "sev"};
    unsigned found = 0;
    for (const char *p = text, *end = text + len; p < end;) {
        p += strspn(p, " \t\n;");
        size_t n = strcspn(p, " \t\n;"), i = 0;
        if (!n)
            break;
        while (i < sizeof words / sizeof *words && (n != strlen(words[i]) || memcmp(p, words[i], n)))
            i++;
        bool is_barrier = n == 2 && !memcmp(p, "sy", 2); /* of "isb sy" */
        if (i == sizeof words / sizeof *words && !is_barrier)
            return false;
        found++;
        p += n;
    }
    return found;
}

bool rcp_spins_is_pause(LLVMValueRef call) {
    LLVMValueRef called = LLVMGetCalledValue(call);
    size_t len;
    if (LLVMIsAInlineAsm(called)) {
        const char *text = LLVMGetInlineAsmAsmString(called, &len);
        return is_hint(text, len);
    }
    if (rcp_steps_calls_intrinsic(call, "llvm.x86.sse2.pause"))
        return true;
    if (!rcp_steps_calls_intrinsic(call, "llvm.aarch64.hint"))
        return rcp_steps_calls_intrinsic(call, "llvm.aarch64.isb");
    LLVMValueRef hint = LLVMGetArgOperand(call, 0);
    return LLVMIsAConstantInt(hint) && LLVMConstIntGetZExtValue(hint) <= 3; /* nop, yield, wfe, wfi */
}

static LLVMValueRef base_of(LLVMValueRef pointer) {
    while (LLVMIsAGetElementPtrInst(pointer))
        pointer = LLVMGetOperand(pointer, 0);
    return pointer;
}

/* Where a store goes that others hardly see: an object of the function's own. */
static bool is_own(LLVMValueRef pointer) { return LLVMIsAAllocaInst(base_of(pointer)); }

static bool is_quiet(LLVMValueRef function, unsigned depth);

static bool is_quiet_call(LLVMValueRef call, unsigned depth) {
    LLVMValueRef called = LLVMGetCalledValue(call);
    size_t len;
    if (LLVMIsAInlineAsm(called)) {
        LLVMGetInlineAsmAsmString(called, &len);
        return !len || rcp_spins_is_pause(call);
    }
    LLVMValueRef function = rcp_steps_callee(call);
    if (!function)
        return false;
    if (rcp_steps_calls_intrinsic(call, "llvm.memcpy") || rcp_steps_calls_intrinsic(call, "llvm.memmove") ||
        rcp_steps_calls_intrinsic(call, "llvm.memset"))
        return is_own(LLVMGetArgOperand(call, 0));
    if (LLVMGetIntrinsicID(function))
        return true;
    if (!LLVMIsDeclaration(function))
        return is_quiet(function, depth);
    const rcp_outside *row = rcp_outside_resolve(LLVMGetValueName2(function, &len)).row;
    if (!row)
        return false;
    if (row->model == RCP_MODEL_SYNC)
        return row->sync.patience == RCP_PATIENCE_TRIES;
    return row->kind == RCP_OUTSIDE_HARMLESS && !(row->touches && strpbrk(row->touches, "wxmM"));
}

static bool is_call(LLVMValueRef i) { return LLVMIsACallInst(i) || LLVMIsAInvokeInst(i); }

/* Can it change what others see? Atomic operations may change nothing: who runs them looks at that. */
static bool stores(LLVMValueRef i) { return LLVMGetInstructionOpcode(i) == LLVMStore && !is_own(LLVMGetOperand(i, 1)); }
static bool calls(LLVMValueRef i, unsigned depth) { return is_call(i) && !is_quiet_call(i, depth); }

/* A function that does nothing but look, whichever way it goes. */
static bool is_quiet(LLVMValueRef function, unsigned depth) {
    unsigned count = 0;
    if (depth >= DEEPEST || rcp_steps_is_left_out(function))
        return false;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if (++count > MOST_INSTRUCTIONS || stores(i) || calls(i, depth + 1))
                return false;
    return true;
}

/* --- the loop --- */

static unsigned index_of(const loop *l, LLVMBasicBlockRef block) {
    unsigned i = 0;
    while (i < l->n && l->blocks[i] != block)
        i++;
    return i;
}

static bool has_block(const loop *l, LLVMBasicBlockRef block) { return index_of(l, block) < l->n; }

static bool has(const loop *l, LLVMValueRef value) {
    return LLVMIsAInstruction(value) && has_block(l, LLVMGetInstructionParent(value));
}

/* All blocks from which the latch is reached without the head. False: too many, or there is a way in beside the head.
 */
static bool collect(loop *l, LLVMBasicBlockRef entry) {
    l->blocks[l->n++] = l->head;
    if (l->latch != l->head)
        l->blocks[l->n++] = l->latch;
    for (unsigned i = 1; i < l->n; i++) {
        if (l->blocks[i] == entry)
            return false;
        for (LLVMUseRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(l->blocks[i])); use; use = LLVMGetNextUse(use)) {
            LLVMValueRef user = LLVMGetUser(use);
            if (!LLVMIsAInstruction(user))
                return false;
            LLVMBasicBlockRef from = LLVMGetInstructionParent(user);
            if (has_block(l, from))
                continue;
            if (l->n == RCP_SPIN_BLOCKS)
                return false;
            l->blocks[l->n++] = from;
        }
    }
    return true;
}

static bool look_at_blocks(loop *l) {
    unsigned count = 0;
    for (unsigned b = 0; b < l->n; b++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(l->blocks[b]); i; i = LLVMGetNextInstruction(i)) {
            if (++count > MOST_INSTRUCTIONS)
                return false;
            if (!l->call[b] && calls(i, 0))
                l->call[b] = i;
            l->is_busy[b] |= l->call[b] || stores(i);
        }
    return true;
}

/* A way round through blocks that do nothing. */
static bool has_idle_way(const loop *l) {
    bool seen[RCP_SPIN_BLOCKS] = {0};
    unsigned todo[RCP_SPIN_BLOCKS], n = 0;
    if (l->is_busy[0])
        return false;
    todo[n++] = 0;
    seen[0] = true;
    while (n) {
        LLVMBasicBlockRef block = l->blocks[todo[--n]];
        if (block == l->latch)
            return true;
        LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
        for (unsigned i = 0, count = LLVMGetNumSuccessors(end); i < count; i++) {
            unsigned next = index_of(l, LLVMGetSuccessor(end, i));
            if (next < l->n && next && !seen[next] && !l->is_busy[next]) {
                seen[next] = true;
                todo[n++] = next;
            }
        }
    }
    return false;
}

/* --- what values hang on --- */

static unsigned mask_of(loop *l, LLVMValueRef value);

static unsigned mask_of_condition(loop *l, LLVMBasicBlockRef block) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
    if (LLVMIsABranchInst(end))
        return LLVMIsConditional(end) ? mask_of(l, LLVMGetCondition(end)) : 0;
    return LLVMIsASwitchInst(end) ? mask_of(l, LLVMGetOperand(end, 0)) : 0;
}

/* What it was in the round before, or which way was taken to get here. While that is being looked at, it counts as
 * STATE: what hangs on itself is. */
static unsigned mask_of_phi(loop *l, LLVMValueRef phi) {
    bool is_head = LLVMGetInstructionParent(phi) == l->head;
    unsigned mask = 0;
    for (unsigned i = 0, n = LLVMCountIncoming(phi); i < n; i++) {
        LLVMBasicBlockRef from = LLVMGetIncomingBlock(phi, i);
        if (!has_block(l, from))
            continue;
        LLVMValueRef value = LLVMGetIncomingValue(phi, i);
        if (value != phi)
            mask |= mask_of(l, value);
        if (!is_head && n > 1)
            mask |= mask_of_condition(l, from);
    }
    return mask;
}

/* Does the loop write the object of the function's own that the pointer leads to? */
static bool writes(const loop *l, LLVMValueRef pointer) {
    LLVMValueRef base = base_of(pointer);
    if (!LLVMIsAAllocaInst(base))
        return false;
    for (unsigned b = 0; b < l->n; b++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(l->blocks[b]); i; i = LLVMGetNextInstruction(i))
            if (LLVMGetInstructionOpcode(i) == LLVMStore && base_of(LLVMGetOperand(i, 1)) == base)
                return true;
    return false;
}

static unsigned mask_of_operands(loop *l, LLVMValueRef i) {
    unsigned mask = 0;
    for (unsigned k = 0, n = (unsigned)LLVMGetNumOperands(i); k < n; k++)
        mask |= mask_of(l, LLVMGetOperand(i, k));
    return mask;
}

static unsigned find_mask(loop *l, LLVMValueRef i) {
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMPHI: return mask_of_phi(l, i);
    case LLVMLoad: {
        LLVMValueRef pointer = LLVMGetOperand(i, 0);
        return mask_of(l, pointer) & STATE || writes(l, pointer) ? STATE : READ;
    }
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg: return mask_of(l, LLVMGetOperand(i, 0)) & STATE ? STATE : READ;
    case LLVMCall:
    case LLVMInvoke: {
        LLVMValueRef function = LLVMIsAFunction(LLVMGetCalledValue(i));
        unsigned mask = mask_of_operands(l, i);
        return function && LLVMGetIntrinsicID(function) ? mask : mask & STATE ? STATE : READ;
    }
    default: return mask_of_operands(l, i);
    }
}

static unsigned mask_of(loop *l, LLVMValueRef value) {
    if (!has(l, value))
        return 0;
    uint32_t known = rcp_map_get(&l->masks, (uintptr_t)value);
    if (known != RCP_MAP_NONE)
        return known;
    rcp_map_set(&l->masks, (uintptr_t)value, STATE);
    unsigned mask = find_mask(l, value);
    rcp_map_set(&l->masks, (uintptr_t)value, mask);
    return mask;
}

/* Is something looked at that is elsewhere in each round? That is work. */
static bool walks(loop *l) {
    for (unsigned b = 0; b < l->n; b++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(l->blocks[b]); i && !l->is_busy[b];
             i = LLVMGetNextInstruction(i)) {
            LLVMOpcode op = LLVMGetInstructionOpcode(i);
            bool looks = op == LLVMLoad || op == LLVMAtomicRMW || op == LLVMAtomicCmpXchg;
            if (looks && mask_of(l, LLVMGetOperand(i, 0)) & STATE)
                return true;
            LLVMValueRef function = is_call(i) ? rcp_steps_callee(i) : NULL;
            if (function && !LLVMGetIntrinsicID(function) && mask_of_operands(l, i) & STATE)
                return true;
        }
    return false;
}

typedef struct exits {
    unsigned by_reading, by_state;
} exits;

static void count_exit(exits *found, unsigned mask) {
    found->by_state += mask & STATE ? 1 : 0;
    found->by_reading += mask == READ;
}

/* a && b is one branch on a phi, false where a was: each of them is an exit of its own. */
static void look_at_condition(loop *l, LLVMBasicBlockRef block, LLVMValueRef condition, exits *found, unsigned depth) {
    if (!LLVMIsAPHINode(condition) || LLVMGetInstructionParent(condition) != block || block == l->head ||
        depth >= DEEPEST) {
        count_exit(found, mask_of(l, condition));
        return;
    }
    for (unsigned i = 0, n = LLVMCountIncoming(condition); i < n; i++) {
        LLVMBasicBlockRef from = LLVMGetIncomingBlock(condition, i);
        LLVMValueRef value = LLVMGetIncomingValue(condition, i);
        if (!has_block(l, from))
            continue;
        if (LLVMIsConstant(value))
            count_exit(found, mask_of_condition(l, from));
        else
            look_at_condition(l, from, value, found, depth + 1);
    }
}

static exits look_at_exits(loop *l, bool *any) {
    exits found = {0};
    *any = false;
    for (unsigned b = 0; b < l->n; b++) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(l->blocks[b]);
        bool leaves = false;
        for (unsigned i = 0, n = LLVMGetNumSuccessors(end); i < n; i++)
            leaves |= !has_block(l, LLVMGetSuccessor(end, i));
        if (!leaves || LLVMIsAInvokeInst(end))
            continue;
        *any = true;
        if (LLVMIsABranchInst(end) && LLVMIsConditional(end))
            look_at_condition(l, l->blocks[b], LLVMGetCondition(end), &found, 0);
        else
            count_exit(&found, mask_of_condition(l, l->blocks[b]));
    }
    return found;
}

static bool judge(loop *l, LLVMBasicBlockRef entry, rcp_spin *spin) {
    if (!collect(l, entry) || !look_at_blocks(l) || !has_idle_way(l) || walks(l))
        return false;
    bool any;
    exits found = look_at_exits(l, &any);
    if (any && !found.by_reading)
        return false;
    spin->endless = !found.by_state;
    for (unsigned b = 0; b < l->n; b++)
        if (l->call[b])
            spin->busy[spin->n_busy++] = l->call[b];
    return true;
}

/* Blocks in the order of the function; a branch to one that came before, or to its own, may go round. */
void rcp_spins_of(LLVMValueRef function, rcp_spins *spins) {
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(function);
    rcp_map seen;
    rcp_map_init(&seen);
    for (LLVMBasicBlockRef b = entry; b; b = LLVMGetNextBasicBlock(b)) {
        rcp_map_set(&seen, (uintptr_t)b, 1);
        LLVMValueRef end = LLVMGetBasicBlockTerminator(b);
        if (!LLVMIsABranchInst(end))
            continue;
        for (unsigned side = 0, n = LLVMGetNumSuccessors(end); side < n; side++) {
            LLVMBasicBlockRef head = LLVMGetSuccessor(end, side);
            if (rcp_map_get(&seen, (uintptr_t)head) == RCP_MAP_NONE)
                continue;
            loop l = {.head = head, .latch = b};
            rcp_spin spin = {.latch = end, .side = side};
            rcp_map_init(&l.masks);
            if (judge(&l, entry, &spin))
                rcp_vec_push(spins, spin);
            rcp_map_finish(&l.masks);
        }
    }
    rcp_map_finish(&seen);
}
