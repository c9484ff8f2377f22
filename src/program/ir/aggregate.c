/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of slots: parts of aggregates, lanes of vectors. */
#include "program/ir/state.h"

static void move_row(rcp_decoding *d, int32_t to, int32_t from, uint32_t n) {
    if (n == 1)
        rcp_emit(d, RCP_INS_MOVE, to, from, 0);
    else if (n)
        rcp_emit(d, RCP_INS_MOVES, to, from, 0)->x = n;
}

/* The slot, from the row's first, of the part that the indices name; `type` becomes that part's. */
static uint32_t part_of(rcp_decoding *d, LLVMValueRef i, LLVMTypeRef *type) {
    uint32_t at = 0;
    const unsigned *indices = LLVMGetIndices(i);
    for (unsigned k = 0, n = LLVMGetNumIndices(i); k < n; k++) {
        if (LLVMGetTypeKind(*type) == LLVMStructTypeKind) {
            for (unsigned f = 0; f < indices[k]; f++)
                at += rcp_slots_of(d, LLVMStructGetTypeAtIndex(*type, f));
            *type = LLVMStructGetTypeAtIndex(*type, indices[k]);
        } else {
            *type = LLVMGetElementType(*type);
            at += indices[k] * rcp_slots_of(d, *type);
        }
    }
    return at;
}

static void decode_extract_value(rcp_decoding *d, LLVMValueRef i) {
    LLVMValueRef row = LLVMGetOperand(i, 0);
    LLVMTypeRef type = LLVMTypeOf(row);
    uint32_t at = part_of(d, i, &type), n = rcp_slots_of(d, type);
    if (n)
        move_row(d, rcp_slot(d, i), rcp_slot(d, row) + (int32_t)at, n);
}

static void decode_insert_value(rcp_decoding *d, LLVMValueRef i) {
    LLVMTypeRef type = LLVMTypeOf(i);
    uint32_t n = rcp_slots_of(d, type), at = part_of(d, i, &type), part = rcp_slots_of(d, type);
    if (!n)
        return;
    int32_t to = rcp_slot(d, i);
    move_row(d, to, rcp_slot(d, LLVMGetOperand(i, 0)), n);
    if (part)
        move_row(d, to + (int32_t)at, rcp_slot(d, LLVMGetOperand(i, 1)), part);
}

static void decode_extract_element(rcp_decoding *d, LLVMValueRef i) {
    LLVMValueRef row = LLVMGetOperand(i, 0), index = LLVMGetOperand(i, 1);
    uint32_t lanes = rcp_lanes_of(LLVMTypeOf(row)), width = rcp_slots_of(d, LLVMTypeOf(i));
    uint64_t lane;
    int32_t to = rcp_slot(d, i), from = rcp_slot(d, row);
    if (rcp_constant_word(d, index, &lane)) {
        if (lane < lanes)
            move_row(d, to, from + (int32_t)(lane * width), width);
        else
            move_row(d, to, rcp_slot(d, LLVMConstNull(LLVMTypeOf(i))), width);
        return;
    }
    rcp_ins *extract = rcp_emit(d, RCP_INS_EXTRACT, to, from, rcp_slot(d, index));
    extract->k = (uint16_t)width;
    extract->x = lanes;
}

static void decode_insert_element(rcp_decoding *d, LLVMValueRef i) {
    LLVMValueRef index = LLVMGetOperand(i, 2);
    uint32_t lanes = rcp_lanes_of(LLVMTypeOf(i)), width = rcp_slots_of(d, LLVMTypeOf(LLVMGetOperand(i, 1)));
    uint64_t lane;
    int32_t to = rcp_slot(d, i), row = rcp_slot(d, LLVMGetOperand(i, 0)), part = rcp_slot(d, LLVMGetOperand(i, 1));
    move_row(d, to, row, lanes * width);
    if (rcp_constant_word(d, index, &lane)) {
        if (lane < lanes)
            move_row(d, to + (int32_t)(lane * width), part, width);
        return;
    }
    rcp_ins *insert = rcp_emit(d, RCP_INS_INSERT, to, part, rcp_slot(d, index));
    insert->k = (uint16_t)width;
    insert->x = lanes;
}

static void decode_shuffle(rcp_decoding *d, LLVMValueRef i) {
    LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(i, 0));
    int32_t lanes = (int32_t)rcp_lanes_of(type), width = (int32_t)rcp_slots_of(d, type) / lanes;
    int32_t to = rcp_slot(d, i), a = rcp_slot(d, LLVMGetOperand(i, 0)), b = rcp_slot(d, LLVMGetOperand(i, 1));
    for (int32_t k = 0, n = (int32_t)LLVMGetNumMaskElements(i); k < n; k++) {
        int32_t lane = LLVMGetMaskValue(i, (unsigned)k);
        int32_t from = lane < 0 ? rcp_slot_of_word(d, 0) : lane < lanes ? a + lane * width : b + (lane - lanes) * width;
        for (int32_t s = 0; s < width; s++)
            rcp_emit(d, RCP_INS_MOVE, to + k * width + s, lane < 0 ? from : from + s, 0);
    }
}

bool rcp_decode_aggregate(rcp_decoding *d, LLVMValueRef i, LLVMOpcode op) {
    switch (op) {
    case LLVMExtractValue: decode_extract_value(d, i); return true;
    case LLVMInsertValue: decode_insert_value(d, i); return true;
    case LLVMExtractElement: decode_extract_element(d, i); return true;
    case LLVMInsertElement: decode_insert_element(d, i); return true;
    case LLVMShuffleVector: decode_shuffle(d, i); return true;
    default: return false;
    }
}
