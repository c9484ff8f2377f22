/* SPDX-License-Identifier: Apache-2.0 */
/* The copy of a region's loop. It counts its iterations itself, and addresses are what affine.h says of them, so that
 * LLVM sees at once how often it runs and what it touches. */
#include "base/map.h"
#include "instrument/region.h"

#include <llvm-c/DebugInfo.h>
#include <string.h>

typedef struct copier {
    rcp_region *r;
    rcp_emitter *e;
    LLVMBuilderRef b;
    rcp_map index; /* of a value or block of the loop among the copies */
    RCP_VEC(LLVMValueRef) copies;
    LLVMValueRef memory_only, shadow_only;                             /* metadata: lists of one scope */
    LLVMValueRef shadows[RCP_REGION_GROUPS], bases[RCP_REGION_GROUPS]; /* of the current iteration */
    LLVMValueRef iteration;
} copier;

static void map(copier *c, LLVMValueRef from, LLVMValueRef to) {
    rcp_map_set(&c->index, (uintptr_t)from, (uint32_t)c->copies.len);
    rcp_vec_push(&c->copies, to);
}

static LLVMValueRef mapped(const copier *c, LLVMValueRef value) {
    uint32_t at = rcp_map_get(&c->index, (uintptr_t)value);
    return at == RCP_MAP_NONE ? value : c->copies.at[at];
}

static LLVMBasicBlockRef mapped_block(const copier *c, LLVMBasicBlockRef block) {
    return LLVMValueAsBasicBlock(mapped(c, LLVMBasicBlockAsValue(block)));
}

/* A list of one scope, for alias.scope and noalias. Scopes that have a name are the same everywhere: no shadow is ever
 * the program's memory. */
static LLVMValueRef scope_list(LLVMContextRef context, const char *name) {
    LLVMMetadataRef domain_name = LLVMMDStringInContext2(context, "recipe", 6);
    LLVMMetadataRef domain = LLVMMDNodeInContext2(context, &domain_name, 1);
    LLVMMetadataRef parts[] = {LLVMMDStringInContext2(context, name, strlen(name)), domain};
    LLVMMetadataRef scope = LLVMMDNodeInContext2(context, parts, 2);
    return LLVMMetadataAsValue(context, LLVMMDNodeInContext2(context, &scope, 1));
}

static void mark(copier *c, LLVMValueRef access, bool shadow) {
    LLVMContextRef context = c->e->unit->context;
    LLVMSetMetadata(access, LLVMGetMDKindIDInContext(context, "alias.scope", 11),
                    shadow ? c->shadow_only : c->memory_only);
    LLVMSetMetadata(access, LLVMGetMDKindIDInContext(context, "noalias", 7), shadow ? c->memory_only : c->shadow_only);
}

static LLVMValueRef beyond(copier *c, LLVMValueRef pointer, LLVMValueRef offset) {
    return LLVMBuildInBoundsGEP2(c->b, c->e->unit->i8, pointer, &offset, 1, "");
}

/* At the head of the copy: the number of the iteration, and where each group is in it. */
static void write_head(copier *c, LLVMBasicBlockRef head) {
    LLVMPositionBuilderAtEnd(c->b, head);
    c->iteration = LLVMBuildPhi(c->b, c->e->unit->i64, "");
}

static void place_groups(copier *c) {
    for (unsigned i = 0; i < c->r->n_groups; i++) {
        const rcp_region_group *g = &c->r->groups[i];
        LLVMValueRef offset = LLVMBuildMul(c->b, c->iteration, g->step, "");
        bool moves = !(LLVMIsAConstantInt(g->step) && LLVMIsNull(g->step));
        c->shadows[i] = moves ? beyond(c, g->shadow, offset) : g->shadow;
        if (g->stores)
            c->bases[i] = moves ? beyond(c, g->base, offset) : g->base;
    }
}

static const rcp_region_access *access_of(const copier *c, LLVMValueRef i) {
    for (unsigned n = 0; n < c->r->n_accesses; n++)
        if (c->r->accesses[n].instruction == i)
            return &c->r->accesses[n];
    return NULL;
}

/* Its own place, and that of its shadow, which a load reads instead. */
static void copy_access(copier *c, const rcp_region_access *a) {
    LLVMValueRef offset = rcp_emit_u64(c->e, (uint64_t)a->offset), copy = LLVMInstructionClone(a->instruction);
    LLVMValueRef shadow = beyond(c, c->shadows[a->group], offset);
    LLVMSetOperand(copy, !a->is_load, shadow);
    LLVMInsertIntoBuilder(c->b, copy);
    mark(c, copy, true);
    map(c, a->instruction, copy);
    if (a->is_load)
        return;
    LLVMValueRef store = LLVMInstructionClone(a->instruction);
    LLVMSetOperand(store, 1, beyond(c, c->bases[a->group], offset));
    LLVMInsertIntoBuilder(c->b, store);
    mark(c, store, false);
    rcp_vec_push(&c->copies, store);
}

static void copy_block(copier *c, LLVMBasicBlockRef block) {
    LLVMPositionBuilderAtEnd(c->b, mapped_block(c, block));
    bool placed = block != c->r->loop->blocks[0];
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
        bool phi = LLVMIsAPHINode(i);
        if (LLVMIsADbgInfoIntrinsic(i) || LLVMIsATerminatorInst(i))
            continue;
        if (!phi && !placed) {
            place_groups(c);
            placed = true;
        }
        LLVMSetCurrentDebugLocation2(c->b, LLVMInstructionGetDebugLoc(i));
        const rcp_region_access *a = access_of(c, i);
        if (a) {
            copy_access(c, a);
            continue;
        }
        LLVMValueRef copy = phi ? LLVMBuildPhi(c->b, LLVMTypeOf(i), "") : LLVMInstructionClone(i);
        if (!phi)
            LLVMInsertIntoBuilder(c->b, copy);
        map(c, i, copy);
    }
}

static void connect_phi(copier *c, LLVMValueRef phi, LLVMBasicBlockRef from) {
    LLVMValueRef copy = mapped(c, phi);
    for (unsigned n = 0, count = LLVMCountIncoming(phi); n < count; n++) {
        LLVMBasicBlockRef block = LLVMGetIncomingBlock(phi, n);
        bool own = rcp_loop_has_block(c->r->loop, block);
        if (!own && block != c->r->loop->before) /* the guard's own ways in */
            continue;
        LLVMValueRef value = mapped(c, LLVMGetIncomingValue(phi, n));
        LLVMBasicBlockRef to = own ? mapped_block(c, block) : from;
        LLVMAddIncoming(copy, &value, &to, 1);
    }
}

/* The end of each block, the phis, and operands that are copies themselves. */
static void connect(copier *c, LLVMBasicBlockRef from) {
    const rcp_loop *loop = c->r->loop;
    for (size_t n = 0; n < c->copies.len; n++) {
        LLVMValueRef copy = c->copies.at[n];
        if (!LLVMIsAInstruction(copy) || LLVMIsAPHINode(copy))
            continue;
        for (unsigned o = 0, operands = (unsigned)LLVMGetNumOperands(copy); o < operands; o++) {
            LLVMValueRef operand = LLVMGetOperand(copy, o), better = mapped(c, operand);
            if (better != operand)
                LLVMSetOperand(copy, o, better);
        }
    }
    for (unsigned n = 0; n < loop->n; n++) {
        LLVMBasicBlockRef block = loop->blocks[n];
        for (LLVMValueRef i = LLVMGetFirstInstruction(block); LLVMIsAPHINode(i); i = LLVMGetNextInstruction(i))
            connect_phi(c, i, from);
        if (block == loop->latch)
            continue;
        LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
        LLVMPositionBuilderAtEnd(c->b, mapped_block(c, block));
        LLVMSetCurrentDebugLocation2(c->b, LLVMInstructionGetDebugLoc(end));
        if (LLVMIsConditional(end))
            LLVMBuildCondBr(c->b, mapped(c, LLVMGetCondition(end)), mapped_block(c, LLVMGetSuccessor(end, 0)),
                            mapped_block(c, LLVMGetSuccessor(end, 1)));
        else
            LLVMBuildBr(c->b, mapped_block(c, LLVMGetSuccessor(end, 0)));
    }
}

static void write_latch(copier *c, LLVMBasicBlockRef from, LLVMBasicBlockRef done) {
    const rcp_loop *loop = c->r->loop;
    LLVMBasicBlockRef latch = mapped_block(c, loop->latch), head = mapped_block(c, loop->blocks[0]);
    LLVMPositionBuilderAtEnd(c->b, latch);
    LLVMSetCurrentDebugLocation2(c->b, LLVMInstructionGetDebugLoc(LLVMGetBasicBlockTerminator(loop->latch)));
    LLVMValueRef next = LLVMBuildNUWAdd(c->b, c->iteration, rcp_emit_u64(c->e, 1), "");
    LLVMSetNSW(next, true);
    LLVMBuildCondBr(c->b, LLVMBuildICmp(c->b, LLVMIntEQ, c->iteration, c->r->more, ""), done, head);
    LLVMValueRef values[] = {rcp_emit_u64(c->e, 0), next};
    LLVMBasicBlockRef blocks[] = {from, latch};
    LLVMAddIncoming(c->iteration, values, blocks, 2);
}

static void write_end(copier *c, LLVMBasicBlockRef done, LLVMValueRef whole) {
    const rcp_loop *loop = c->r->loop;
    LLVMPositionBuilderAtEnd(c->b, done);
    RCP_EMIT(c->e, pass, whole);
    LLVMBuildBr(c->b, loop->after);
    for (LLVMValueRef i = LLVMGetFirstInstruction(loop->after); LLVMIsAPHINode(i); i = LLVMGetNextInstruction(i))
        for (unsigned n = 0; n < LLVMCountIncoming(i); n++)
            if (LLVMGetIncomingBlock(i, n) == loop->latch) {
                LLVMValueRef value = mapped(c, LLVMGetIncomingValue(i, n));
                LLVMAddIncoming(i, &value, &done, 1);
                break;
            }
}

void rcp_region_copy(rcp_region *r, LLVMBasicBlockRef from, LLVMValueRef whole) {
    LLVMContextRef context = r->emitter->unit->context;
    copier c = {.r = r, .e = r->emitter, .b = r->emitter->builder};
    c.memory_only = scope_list(context, "recipe.memory");
    c.shadow_only = scope_list(context, "recipe.shadow");
    rcp_map_init(&c.index);
    LLVMBasicBlockRef head = r->loop->blocks[0];
    for (unsigned n = 0; n < r->loop->n; n++)
        map(&c, LLVMBasicBlockAsValue(r->loop->blocks[n]),
            LLVMBasicBlockAsValue(LLVMInsertBasicBlockInContext(context, head, "")));
    LLVMBasicBlockRef done = LLVMInsertBasicBlockInContext(context, head, "");
    write_head(&c, mapped_block(&c, head));
    /* A value that is used in another block stands in one that comes before on every way, but the order of the blocks
     * need not be that one: so all are copied first, and connected then. */
    for (unsigned n = 0; n < r->loop->n; n++)
        copy_block(&c, r->loop->blocks[n]);
    connect(&c, from);
    write_latch(&c, from, done);
    write_end(&c, done, whole);
    LLVMPositionBuilderAtEnd(c.b, from);
    rcp_emit_hook(c.e, RCP_HOOK_begin_region, NULL, 0);
    LLVMBuildBr(c.b, mapped_block(&c, head));
    rcp_map_finish(&c.index);
    rcp_vec_finish(&c.copies);
}
