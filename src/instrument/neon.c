/* SPDX-License-Identifier: Apache-2.0 */
#include "instrument/neon.h"

#include "instrument/neon_compute.h"
#include "program/ir/steps.h"

#include <string.h>

enum { VECTORS = 4, LANES = 16 };

typedef struct group {
    unsigned vectors, lanes;
    bool interleaved; /* lane by lane in memory; else vector by vector */
    bool store;
    bool one_lane; /* of each vector */
    bool repeated; /* one element for all lanes of each vector */
} group;

/* llvm.aarch64.neon.ld4, .st2, .ld1x3, .ld4lane, .st3lane, .ld2r */
static bool parse(LLVMValueRef function, group *g) {
    static const char prefix[] = "llvm.aarch64.neon.";
    size_t len;
    const char *name = rcp_steps_intrinsic(function, &len);
    if (!name || len < sizeof prefix + 2 || memcmp(name, prefix, sizeof prefix - 1))
        return false;
    name += sizeof prefix - 1;
    len -= sizeof prefix - 1;
    if (memcmp(name, "ld", 2) && memcmp(name, "st", 2))
        return false;
    g->store = name[0] == 's';
    g->one_lane = len == 7 && !memcmp(name + 3, "lane", 4);
    g->repeated = len == 4 && name[3] == 'r' && !g->store;
    g->interleaved = len == 3;
    if (g->one_lane || g->repeated)
        len = 3;
    else if (!g->interleaved && !(len == 5 && !memcmp(name + 2, "1x", 2)))
        return false;
    g->vectors = (unsigned)(name[len - 1] - '0');
    return g->vectors >= 2 && g->vectors <= VECTORS;
}

static LLVMValueRef shuffle(rcp_pass_unit *unit, LLVMBuilderRef b, LLVMValueRef x, LLVMValueRef y,
                            const unsigned *lanes, unsigned n) {
    LLVMValueRef mask[VECTORS * LANES];
    for (unsigned i = 0; i < n; i++)
        mask[i] = LLVMConstInt(unit->i32, lanes[i], false);
    return LLVMBuildShuffleVector(b, x, y, LLVMConstVector(mask, n), "");
}

/* Where lane `i` of vector `v` is in memory, in lanes. */
static unsigned place(const group *g, unsigned v, unsigned i) {
    return g->interleaved ? i * g->vectors + v : v * g->lanes + i;
}

static LLVMValueRef build_load(rcp_pass_unit *unit, LLVMBuilderRef b, const group *g, LLVMTypeRef vector,
                               LLVMValueRef call) {
    LLVMTypeRef whole = LLVMVectorType(LLVMGetElementType(vector), g->vectors * g->lanes);
    LLVMValueRef all = LLVMBuildLoad2(b, whole, LLVMGetArgOperand(call, 0), "");
    LLVMSetAlignment(all, 1);
    LLVMValueRef result = LLVMConstNull(LLVMTypeOf(call));
    for (unsigned v = 0; v < g->vectors; v++) {
        unsigned lanes[LANES];
        for (unsigned i = 0; i < g->lanes; i++)
            lanes[i] = place(g, v, i);
        result = LLVMBuildInsertValue(b, result, shuffle(unit, b, all, all, lanes, g->lanes), v, "");
    }
    return result;
}

static void build_store(rcp_pass_unit *unit, LLVMBuilderRef b, const group *g, LLVMValueRef call) {
    /* Two halves of two vectors each (the last may stand twice), then every lane to its place. */
    unsigned lanes[VECTORS * LANES];
    for (unsigned i = 0; i < 2 * g->lanes; i++)
        lanes[i] = i;
    LLVMValueRef half[2];
    for (unsigned h = 0; h < 2; h++) {
        unsigned first = h * 2 < g->vectors ? h * 2 : 0, second = first + 1 < g->vectors ? first + 1 : first;
        half[h] =
            shuffle(unit, b, LLVMGetArgOperand(call, first), LLVMGetArgOperand(call, second), lanes, 2 * g->lanes);
    }
    for (unsigned v = 0; v < g->vectors; v++)
        for (unsigned i = 0; i < g->lanes; i++)
            lanes[place(g, v, i)] = v * g->lanes + i;
    LLVMValueRef all = shuffle(unit, b, half[0], half[1], lanes, g->vectors * g->lanes);
    LLVMSetAlignment(LLVMBuildStore(b, all, LLVMGetArgOperand(call, g->vectors)), 1);
}

/* One element after the other. */
static LLVMValueRef place_of(rcp_pass_unit *unit, LLVMBuilderRef b, LLVMTypeRef element, LLVMValueRef call,
                             unsigned v) {
    LLVMValueRef pointer = LLVMGetArgOperand(call, LLVMGetNumArgOperands(call) - 1);
    LLVMValueRef index = LLVMConstInt(unit->i64, v, false);
    return v ? LLVMBuildGEP2(b, element, pointer, &index, 1, "") : pointer;
}

static LLVMValueRef load_elements(rcp_pass_unit *unit, LLVMBuilderRef b, const group *g, LLVMTypeRef vector,
                                  LLVMValueRef call) {
    LLVMTypeRef element = LLVMGetElementType(vector);
    LLVMValueRef result = LLVMConstNull(LLVMTypeOf(call));
    for (unsigned v = 0; v < g->vectors; v++) {
        LLVMValueRef one = LLVMBuildLoad2(b, element, place_of(unit, b, element, call, v), "");
        LLVMSetAlignment(one, 1);
        LLVMValueRef whole;
        if (g->one_lane) {
            whole = LLVMBuildInsertElement(b, LLVMGetArgOperand(call, v), one, LLVMGetArgOperand(call, g->vectors), "");
        } else {
            const unsigned first[LANES] = {0};
            whole = LLVMBuildInsertElement(b, LLVMConstNull(vector), one, LLVMConstInt(unit->i32, 0, false), "");
            whole = shuffle(unit, b, whole, whole, first, g->lanes);
        }
        result = LLVMBuildInsertValue(b, result, whole, v, "");
    }
    return result;
}

static void store_elements(rcp_pass_unit *unit, LLVMBuilderRef b, const group *g, LLVMTypeRef vector,
                           LLVMValueRef call) {
    LLVMTypeRef element = LLVMGetElementType(vector);
    for (unsigned v = 0; v < g->vectors; v++) {
        LLVMValueRef one =
            LLVMBuildExtractElement(b, LLVMGetArgOperand(call, v), LLVMGetArgOperand(call, g->vectors), "");
        LLVMSetAlignment(LLVMBuildStore(b, one, place_of(unit, b, element, call, v)), 1);
    }
}

static void replace_call(rcp_pass_unit *unit, group *g, LLVMValueRef call) {
    LLVMTypeRef vector =
        g->store ? LLVMTypeOf(LLVMGetArgOperand(call, 0)) : LLVMStructGetTypeAtIndex(LLVMTypeOf(call), 0);
    g->lanes = LLVMGetVectorSize(vector);
    if (g->lanes > LANES)
        return;
    LLVMBuilderRef b = LLVMCreateBuilderInContext(unit->context);
    LLVMPositionBuilderBefore(b, call);
    if (g->store && g->one_lane)
        store_elements(unit, b, g, vector, call);
    else if (g->store)
        build_store(unit, b, g, call);
    else if (g->one_lane || g->repeated)
        LLVMReplaceAllUsesWith(call, load_elements(unit, b, g, vector, call));
    else
        LLVMReplaceAllUsesWith(call, build_load(unit, b, g, vector, call));
    LLVMInstructionEraseFromParent(call);
    LLVMDisposeBuilder(b);
}

static void compute(rcp_pass_unit *unit, LLVMValueRef call) {
    LLVMBuilderRef b = LLVMCreateBuilderInContext(unit->context);
    LLVMPositionBuilderBefore(b, call);
    LLVMValueRef result = rcp_neon_compute(unit, b, call);
    if (result) {
        LLVMReplaceAllUsesWith(call, result);
        LLVMInstructionEraseFromParent(call);
    }
    LLVMDisposeBuilder(b);
}

void rcp_neon_replace(rcp_pass_unit *unit) {
    group g = {0};
    if (unit->arch != RCP_ARCH_AARCH64)
        return;
    for (LLVMValueRef f = LLVMGetFirstFunction(unit->module); f; f = LLVMGetNextFunction(f)) {
        if (!LLVMGetIntrinsicID(f))
            continue;
        const bool moves = parse(f, &g);
        for (LLVMUseRef use = LLVMGetFirstUse(f), next; use; use = next) {
            next = LLVMGetNextUse(use);
            LLVMValueRef call = LLVMGetUser(use);
            if (LLVMIsACallInst(call) && LLVMGetCalledValue(call) == f && moves)
                replace_call(unit, &g, call);
            else if (LLVMIsACallInst(call) && LLVMGetCalledValue(call) == f)
                compute(unit, call);
        }
    }
}
