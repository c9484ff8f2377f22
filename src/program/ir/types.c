/* SPDX-License-Identifier: Apache-2.0 */
/* Types: how many slots a value has, what a lane is, how a value lies in memory. */
#include "program/ir/state.h"

/* A row longer than this is an array that somebody loads whole; nothing that clang emits. */
enum { SLOTS_MAX = 4096 };

uint32_t rcp_lanes_of(LLVMTypeRef type) {
    return LLVMGetTypeKind(type) == LLVMVectorTypeKind ? LLVMGetVectorSize(type) : 1;
}

rcp_scalar rcp_scalar_of(rcp_decoding *d, LLVMTypeRef type) {
    switch (LLVMGetTypeKind(type)) {
    case LLVMIntegerTypeKind: {
        unsigned bits = LLVMGetIntTypeWidth(type);
        if (bits > 128)
            rcp_refuse_decode(d, "an integer of %u bits", bits);
        return RCP_SCALAR(RCP_SCALAR_INT, bits > 128 ? 128 : bits);
    }
    case LLVMPointerTypeKind: return RCP_SCALAR(RCP_SCALAR_INT, 64);
    case LLVMHalfTypeKind: return RCP_SCALAR(RCP_SCALAR_HALF, 16);
    case LLVMBFloatTypeKind: return RCP_SCALAR(RCP_SCALAR_BFLOAT, 16);
    case LLVMFloatTypeKind: return RCP_SCALAR(RCP_SCALAR_FLOAT, 32);
    case LLVMDoubleTypeKind: return RCP_SCALAR(RCP_SCALAR_DOUBLE, 64);
    case LLVMFP128TypeKind: return RCP_SCALAR(RCP_SCALAR_QUAD, 128);
    case LLVMX86_FP80TypeKind: return RCP_SCALAR(RCP_SCALAR_X87, 80);
    case LLVMVectorTypeKind: return rcp_scalar_of(d, LLVMGetElementType(type));
    default: rcp_refuse_decode(d, "a value of a type that is not modelled"); return RCP_SCALAR(RCP_SCALAR_INT, 64);
    }
}

bool rcp_computes(rcp_decoding *d, rcp_scalar scalar) {
    if (rcp_scalar_has(scalar))
        return true;
    rcp_refuse_decode(d, "arithmetic with the long double of another architecture");
    return false;
}

static uint64_t count_slots(rcp_decoding *d, LLVMTypeRef type) {
    switch (LLVMGetTypeKind(type)) {
    case LLVMVoidTypeKind:
    case LLVMLabelTypeKind:
    case LLVMMetadataTypeKind:
    case LLVMTokenTypeKind: return 0;
    case LLVMStructTypeKind: {
        uint64_t n = 0;
        for (unsigned i = 0, e = LLVMCountStructElementTypes(type); i < e; i++)
            n += count_slots(d, LLVMStructGetTypeAtIndex(type, i));
        return n;
    }
    case LLVMArrayTypeKind: {
        uint64_t each = count_slots(d, LLVMGetElementType(type)), n = LLVMGetArrayLength2(type);
        return each && n > SLOTS_MAX ? SLOTS_MAX + 1 : each * n;
    }
    case LLVMVectorTypeKind: return (uint64_t)LLVMGetVectorSize(type) * RCP_SCALAR_SLOTS(rcp_scalar_of(d, type));
    default: return RCP_SCALAR_SLOTS(rcp_scalar_of(d, type));
    }
}

uint32_t rcp_slots_of(rcp_decoding *d, LLVMTypeRef type) {
    uint64_t n = count_slots(d, type);
    if (n > SLOTS_MAX) {
        rcp_refuse_decode(d, "a value of more than %d parts", (int)SLOTS_MAX);
        return 0;
    }
    return (uint32_t)n;
}

typedef RCP_VEC(rcp_leaf) leaves;

static void list_leaves(rcp_decoding *d, LLVMTypeRef type, uint64_t bit, leaves *list) {
    switch (LLVMGetTypeKind(type)) {
    case LLVMVoidTypeKind:
    case LLVMLabelTypeKind:
    case LLVMMetadataTypeKind:
    case LLVMTokenTypeKind: return;
    case LLVMStructTypeKind:
        for (unsigned i = 0, n = LLVMCountStructElementTypes(type); i < n; i++)
            list_leaves(d, LLVMStructGetTypeAtIndex(type, i), bit + 8 * LLVMOffsetOfElement(d->data, type, i), list);
        return;
    case LLVMArrayTypeKind: {
        LLVMTypeRef element = LLVMGetElementType(type);
        uint64_t size = LLVMABISizeOfType(d->data, element);
        for (uint64_t i = 0, n = LLVMGetArrayLength2(type); i < n; i++)
            list_leaves(d, element, bit + 8 * size * i, list);
        return;
    }
    default: {
        uint32_t n = rcp_lanes_of(type), bits = RCP_SCALAR_BITS(rcp_scalar_of(d, type));
        bool is_lane = LLVMGetTypeKind(type) == LLVMVectorTypeKind;
        for (uint32_t i = 0; i < n; i++)
            rcp_vec_push(list, ((rcp_leaf){(uint32_t)(bit + (uint64_t)i * bits), (uint16_t)bits, is_lane}));
    }
    }
}

uint32_t rcp_layout_of(rcp_decoding *d, LLVMTypeRef type) {
    rcp_layout layout = {.slots = rcp_slots_of(d, type)};
    leaves list = {0};
    if (layout.slots) {
        list_leaves(d, type, 0, &list);
        layout.size = (uint32_t)LLVMStoreSizeOfType(d->data, type);
    }
    layout.leaves = list.at;
    layout.n = (uint32_t)list.len;
    rcp_vec_push(&d->routine->layouts, layout);
    return (uint32_t)d->routine->layouts.len - 1;
}
