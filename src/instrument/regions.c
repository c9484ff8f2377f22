/* SPDX-License-Identifier: Apache-2.0 */
#include "instrument/regions.h"

#include "base/map.h"
#include "instrument/region.h"
#include "program/ir/intrinsics.h"

#define STEP_MAX     (INT64_C(1) << 20) /* bytes from one iteration to the next: products fit 64 bits (guard.c) */
#define STEP_OF_MAX  (INT64_C(1) << 12) /* the same, times a value */
#define INSTRUCTIONS 400
#define CALLEE_MAX   24

typedef struct finder {
    rcp_emitter *emitter;
    const rcp_steps *steps;
    rcp_map index; /* of an instruction's step */
} finder;

static const rcp_step *step_of(const finder *f, LLVMValueRef i) {
    uint32_t at = rcp_map_get(&f->index, (uintptr_t)i);
    return at == RCP_MAP_NONE ? NULL : &f->steps->at[at];
}

/* An intrinsic whose result is a function of its arguments. */
static bool is_pure_intrinsic(LLVMValueRef callee) {
    size_t len;
    const char *name = rcp_steps_intrinsic(callee, &len);
    const rcp_intrinsic *known = name ? rcp_intrinsic_find(name, len) : NULL;
    return known && known->shape != RCP_INTRINSIC_NOTHING && known->shape != RCP_INTRINSIC_TRAP;
}

/* Instructions that compute and do no more. Divisions have what faults taken out, or a hook in front. */
static bool is_pure(LLVMValueRef i) {
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMFNeg:
    case LLVMAdd:
    case LLVMFAdd:
    case LLVMSub:
    case LLVMFSub:
    case LLVMMul:
    case LLVMFMul:
    case LLVMUDiv:
    case LLVMSDiv:
    case LLVMFDiv:
    case LLVMURem:
    case LLVMSRem:
    case LLVMFRem:
    case LLVMShl:
    case LLVMLShr:
    case LLVMAShr:
    case LLVMAnd:
    case LLVMOr:
    case LLVMXor:
    case LLVMGetElementPtr:
    case LLVMTrunc:
    case LLVMZExt:
    case LLVMSExt:
    case LLVMFPToUI:
    case LLVMFPToSI:
    case LLVMUIToFP:
    case LLVMSIToFP:
    case LLVMFPTrunc:
    case LLVMFPExt:
    case LLVMPtrToInt:
    case LLVMIntToPtr:
    case LLVMBitCast:
    case LLVMICmp:
    case LLVMFCmp:
    case LLVMPHI:
    case LLVMSelect:
    case LLVMFreeze:
    case LLVMExtractElement:
    case LLVMInsertElement:
    case LLVMShuffleVector:
    case LLVMExtractValue:
    case LLVMInsertValue: return true;
    case LLVMCall: {
        LLVMValueRef callee = LLVMIsAFunction(LLVMGetCalledValue(i));
        return callee && is_pure_intrinsic(callee);
    }
    default: return false;
    }
}

/* A small function of this module alone that only computes: it has no events, so it has no hooks either. */
static bool is_pure_function(LLVMValueRef function) {
    if (!function || LLVMIsDeclaration(function) || LLVMGetLinkage(function) != LLVMInternalLinkage)
        return false;
    unsigned instructions = 0;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            if (LLVMIsADbgInfoIntrinsic(i))
                continue;
            LLVMOpcode op = LLVMGetInstructionOpcode(i);
            if (++instructions > CALLEE_MAX || !(is_pure(i) || op == LLVMRet || op == LLVMBr))
                return false;
        }
    rcp_steps steps = {0};
    rcp_steps_of(function, &steps); /* a branch back is one */
    bool none = !steps.len;
    rcp_vec_finish(&steps);
    return none;
}

static bool fits(const rcp_affine_term *step) {
    int64_t max = step->value ? STEP_OF_MAX : STEP_MAX;
    return step->factor > -max && step->factor < max;
}

static bool add_to_group(rcp_region *r, rcp_region_access *access, const rcp_affine *address) {
    unsigned g = 0;
    while (g < r->n_groups && !rcp_affine_is_parallel(&r->groups[g].address, address))
        g++;
    if (g == RCP_REGION_GROUPS)
        return false;
    rcp_region_group *group = &r->groups[g];
    if (g == r->n_groups) {
        *group = (rcp_region_group){.address = *address};
        r->n_groups++;
    }
    int64_t below = group->address.constant - address->constant;
    if (below > STEP_MAX || below < -STEP_MAX)
        return false;
    access->group = g;
    access->offset = -below;
    if (below > 0) { /* a new lowest byte */
        for (unsigned i = 0; i < r->n_accesses; i++)
            if (r->accesses[i].group == g)
                r->accesses[i].offset += below;
        group->address.constant = address->constant;
        access->offset = 0;
    }
    *(access->is_load ? &group->loads : &group->stores) = true;
    return true;
}

static bool add_access(rcp_region *r, LLVMValueRef i, bool is_load) {
    LLVMTypeRef type = LLVMTypeOf(is_load ? i : LLVMGetOperand(i, 0));
    unsigned log2_size;
    if (LLVMGetVolatile(i) || LLVMGetOrdering(i) != LLVMAtomicOrderingNotAtomic || r->n_accesses == RCP_REGION_ACCESSES)
        return false;
    if (rcp_emit_access(r->emitter, type, &log2_size) == RCP_ACCESS_WIDE ||
        LLVMGetTypeKind(type) == LLVMVectorTypeKind ||
        (LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) < 8))
        return false;
    rcp_region_access access = {.instruction = i, .size = 1u << log2_size, .is_load = is_load};
    rcp_affine address;
    if (!rcp_affine_of(&r->scope, LLVMGetOperand(i, !is_load), &address) || !rcp_affine_is_address(&address) ||
        !fits(&address.step) || !add_to_group(r, &access, &address))
        return false;
    r->accesses[r->n_accesses++] = access;
    return true;
}

static bool add_step(rcp_region *r, const rcp_step *step) {
    LLVMValueRef i = step->instruction;
    if (step->kind == RCP_STEP_CALL)
        return LLVMIsACallInst(i) && is_pure_function(rcp_steps_callee(i));
    switch (step->kind) {
    case RCP_STEP_LOAD: return add_access(r, i, true);
    case RCP_STEP_STORE: return add_access(r, i, false);
    case RCP_STEP_TICK: return true;
    case RCP_STEP_BRANCH: return LLVMGetInstructionParent(i) == r->loop->latch;
    default: return false;
    }
}

static bool is_same_place(const rcp_region_access *a, const rcp_region_access *b) {
    return a->group == b->group && a->offset == b->offset && a->size == b->size;
}

/* What may be loaded but need not be must not be compared: it may not even be there. Is the same place touched on every
 * way round? */
static bool is_certain(const rcp_region *r, const rcp_region_access *access) {
    LLVMBasicBlockRef blocks[RCP_REGION_ACCESSES];
    unsigned n = 0;
    for (unsigned i = 0; i < r->n_accesses; i++)
        if (is_same_place(&r->accesses[i], access))
            blocks[n++] = LLVMGetInstructionParent(r->accesses[i].instruction);
    return rcp_loop_always_runs_one(r->loop, blocks, n);
}

static bool are_loads_certain(const rcp_region *r) {
    for (unsigned i = 0; i < r->n_accesses; i++)
        if (r->accesses[i].is_load && !is_certain(r, &r->accesses[i]))
            return false;
    return true;
}

static bool add_body(const finder *f, rcp_region *r) {
    unsigned instructions = 0;
    uint32_t events[RCP_LOOP_BLOCKS] = {0};
    for (unsigned b = 0; b < r->loop->n; b++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(r->loop->blocks[b]); i; i = LLVMGetNextInstruction(i)) {
            const rcp_step *step = step_of(f, i);
            if (LLVMIsADbgInfoIntrinsic(i))
                continue;
            if (++instructions > INSTRUCTIONS)
                return false;
            if (step ? !add_step(r, step)
                     : !is_pure(i) && !LLVMIsALoadInst(i) /* of a constant */ && !LLVMIsABranchInst(i))
                return false;
            events[b] += step && step->kind != RCP_STEP_CALL;
        }
    return rcp_loop_weigh(r->loop, events, &r->events) && are_loads_certain(r);
}

static LLVMIntPredicate swapped(LLVMIntPredicate p) {
    switch (p) {
    case LLVMIntUGT: return LLVMIntULT;
    case LLVMIntUGE: return LLVMIntULE;
    case LLVMIntULT: return LLVMIntUGT;
    case LLVMIntULE: return LLVMIntUGE;
    case LLVMIntSGT: return LLVMIntSLT;
    case LLVMIntSGE: return LLVMIntSLE;
    case LLVMIntSLT: return LLVMIntSGT;
    case LLVMIntSLE: return LLVMIntSGE;
    default: return p;
    }
}

static LLVMIntPredicate inverted(LLVMIntPredicate p) {
    switch (p) {
    case LLVMIntEQ: return LLVMIntNE;
    case LLVMIntNE: return LLVMIntEQ;
    case LLVMIntUGT: return LLVMIntULE;
    case LLVMIntUGE: return LLVMIntULT;
    case LLVMIntULT: return LLVMIntUGE;
    case LLVMIntULE: return LLVMIntUGT;
    case LLVMIntSGT: return LLVMIntSLE;
    case LLVMIntSGE: return LLVMIntSLT;
    case LLVMIntSLT: return LLVMIntSGE;
    case LLVMIntSLE: return LLVMIntSGT;
    }
    return p;
}

static bool add_condition(rcp_region *r) {
    LLVMValueRef c = r->loop->condition;
    if (!rcp_loop_has(r->loop, c) || !LLVMIsAICmpInst(c))
        return false;
    if (!rcp_affine_of(&r->scope, LLVMGetOperand(c, 0), &r->left) ||
        !rcp_affine_of(&r->scope, LLVMGetOperand(c, 1), &r->right))
        return false;
    r->predicate = r->loop->goes_on ? LLVMGetICmpPredicate(c) : inverted(LLVMGetICmpPredicate(c));
    if (!r->left.step.factor) {
        rcp_affine left = r->left;
        r->left = r->right;
        r->right = left;
        r->predicate = swapped(r->predicate);
    }
    return r->left.step.factor && !r->left.step.value && !r->right.step.factor && fits(&r->left.step);
}

static bool recognise(const finder *f, rcp_region *r) {
    if (step_of(f, LLVMGetBasicBlockTerminator(r->loop->before)))
        return false;
    if (!add_condition(r) || !add_body(f, r) || !r->n_accesses)
        return false;
    for (size_t i = 0; i < r->scope.checks.len; i++)
        if (!fits(&r->scope.checks.at[i].sum.step))
            return false;
    return true;
}

static void write_region(const finder *f, const rcp_loop *loop) {
    rcp_region region = {.loop = loop, .emitter = f->emitter, .scope = {.unit = f->emitter->unit, .loop = loop}};
    LLVMValueRef whole;
    LLVMBasicBlockRef from = recognise(f, &region) ? rcp_region_guard(&region, &whole) : NULL;
    if (from) {
        rcp_region_copy(&region, from, whole);
        f->emitter->unit->report->regions++;
    }
    rcp_vec_finish(&region.scope.checks);
}

void rcp_regions_write(rcp_emitter *emitter, const rcp_steps *steps) {
    if (rcp_unit_has_attribute(emitter->function, "optsize") || rcp_unit_has_attribute(emitter->function, "minsize") ||
        rcp_unit_has_attribute(emitter->function, "optnone"))
        return;
    rcp_loops loops = {0};
    rcp_loops_of(emitter->function, &loops);
    if (loops.len) {
        finder f = {.emitter = emitter, .steps = steps};
        rcp_map_init(&f.index);
        for (size_t i = 0; i < steps->len; i++)
            rcp_map_set(&f.index, (uintptr_t)steps->at[i].instruction, (uint32_t)i);
        for (size_t i = 0; i < loops.len; i++)
            write_region(&f, &loops.at[i]);
        rcp_map_finish(&f.index);
    }
    rcp_vec_finish(&loops);
}
