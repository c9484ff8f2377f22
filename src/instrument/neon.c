/* SPDX-License-Identifier: Apache-2.0 */
#include "instrument/neon.h"

#include "program/ir/steps.h"

#include <string.h>

enum { VECTORS = 4, LANES = 16 };

typedef struct group {
    unsigned vectors, lanes;
    bool interleaved; /* lane by lane in memory; else vector by vector */
    bool store;
} group;

/* llvm.aarch64.neon.ld4, .st2, .ld1x3 */
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
    g->interleaved = len == 3;
    if (!g->interleaved && !(len == 5 && !memcmp(name + 2, "1x", 2)))
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

static void replace_call(rcp_pass_unit *unit, group *g, LLVMValueRef call) {
    LLVMTypeRef vector =
        g->store ? LLVMTypeOf(LLVMGetArgOperand(call, 0)) : LLVMStructGetTypeAtIndex(LLVMTypeOf(call), 0);
    g->lanes = LLVMGetVectorSize(vector);
    if (g->lanes > LANES)
        return;
    LLVMBuilderRef b = LLVMCreateBuilderInContext(unit->context);
    LLVMPositionBuilderBefore(b, call);
    if (g->store)
        build_store(unit, b, g, call);
    else
        LLVMReplaceAllUsesWith(call, build_load(unit, b, g, vector, call));
    LLVMInstructionEraseFromParent(call);
    LLVMDisposeBuilder(b);
}

void rcp_neon_replace(rcp_pass_unit *unit) {
    group g;
    if (unit->arch != RCP_ARCH_AARCH64)
        return;
    for (LLVMValueRef f = LLVMGetFirstFunction(unit->module); f; f = LLVMGetNextFunction(f)) {
        if (!LLVMGetIntrinsicID(f) || !parse(f, &g))
            continue;
        for (LLVMUseRef use = LLVMGetFirstUse(f), next; use; use = next) {
            next = LLVMGetNextUse(use);
            if (LLVMIsACallInst(LLVMGetUser(use)))
                replace_call(unit, &g, LLVMGetUser(use));
        }
    }
}
