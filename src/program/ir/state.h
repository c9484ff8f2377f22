/* SPDX-License-Identifier: Apache-2.0 */
/* What the families of the decoder (integer.c, memory.c, call.c …) share: the function that is being decoded, and how
 * to emit.
 *
 * A family's function returns true where the instruction is of its family. Whoever can't decode one calls
 * rcp_refuse_decode(): what was emitted for the instruction is taken back and UNSUPPORTED stands in its place.
 */
#ifndef RECIPE_PROGRAM_IR_STATE_H
#define RECIPE_PROGRAM_IR_STATE_H

#include "base/status.h"
#include "base/text.h"
#include "program/ir/code.h"
#include "program/ir/program.h"
#include "program/ir/steps.h"

/* A place that will hold the way to a block: the difference to instruction `at`. */
typedef struct rcp_fixup {
    enum { RCP_FIX_C, RCP_FIX_E, RCP_FIX_LANDING, RCP_FIX_TARGET, RCP_FIX_OTHERWISE } which;
    bool is_direct; /* the phis have had their moves already */
    size_t at;      /* code[at] */
    uint32_t index,
        target; /* LANDING: calls[index]; TARGET: switches[index].targets[target]; OTHERWISE: switches[index] */
    LLVMBasicBlockRef from, to;
} rcp_fixup;

typedef struct rcp_decoding {
    rcp_routine *routine;
    rcp_unit *unit;
    LLVMTargetDataRef data;
    rcp_map constants;      /* LLVMValueRef → index of its last word in `pool` */
    rcp_map words;          /* value → index in `pool`, of constants of one slot */
    RCP_VEC(uint64_t) pool; /* word k is slot -1 - k */
    rcp_map blocks;         /* LLVMBasicBlockRef → where its code begins */
    rcp_map step_index;     /* LLVMValueRef → index into steps */
    rcp_steps steps;
    RCP_VEC(rcp_fixup) fixups;
    LLVMValueRef now;
    int32_t next_slot;
    bool refused;
    rcp_text why;
} rcp_decoding;

/* Emits; the result is valid until the next one. Fields that are not given are 0. */
rcp_ins *rcp_emit(rcp_decoding *d, rcp_ins_op op, int32_t to, int32_t a, int32_t b);
void rcp_refuse_decode(rcp_decoding *d, const char *format, ...) RCP_PRINTF(2, 3);

/* The first slot of a value; constants are made on the way. */
int32_t rcp_slot(rcp_decoding *d, LLVMValueRef value);
int32_t rcp_slot_of_word(rcp_decoding *d, uint64_t word);
int32_t rcp_new_slots(rcp_decoding *d, uint32_t n);
/* Is the value a constant of one slot? */
bool rcp_constant_word(rcp_decoding *d, LLVMValueRef value, uint64_t *word);
/* Evaluates a constant into words; false: refused. */
bool rcp_decode_constant(rcp_decoding *d, LLVMValueRef constant, uint64_t *words, uint32_t n);

/* Types. */
uint32_t rcp_slots_of(rcp_decoding *d, LLVMTypeRef type);
rcp_scalar rcp_scalar_of(rcp_decoding *d, LLVMTypeRef type); /* of a lane, where it is a vector */
bool rcp_computes(rcp_decoding *d, rcp_scalar scalar);       /* can this machine? Else it is refused */
uint32_t rcp_lanes_of(LLVMTypeRef type);                     /* 1: no vector */
uint32_t rcp_layout_of(rcp_decoding *d, LLVMTypeRef type);   /* index into routine->layouts */
static inline uint64_t rcp_mask(uint32_t bits) { return bits >= 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1; }

/* The step of an instruction; NULL: it is none. */
const rcp_step *rcp_step_of(rcp_decoding *d, LLVMValueRef instruction);

/* Edges (decode.c): moves for the phis of `to`, then on to it. */
void rcp_emit_phis(rcp_decoding *d, LLVMBasicBlockRef from, LLVMBasicBlockRef to);
void rcp_emit_edge(rcp_decoding *d, LLVMBasicBlockRef from, LLVMBasicBlockRef to);
/* As rcp_emit_edge, but a field of an instruction goes there, through code of its own where there are phis. */
void rcp_branch_to(rcp_decoding *d, rcp_fixup fixup);

/* The families. */
bool rcp_decode_integer(rcp_decoding *d, LLVMValueRef i, LLVMOpcode op);
bool rcp_decode_float(rcp_decoding *d, LLVMValueRef i, LLVMOpcode op);
bool rcp_decode_memory(rcp_decoding *d, LLVMValueRef i, LLVMOpcode op);
bool rcp_decode_aggregate(rcp_decoding *d, LLVMValueRef i, LLVMOpcode op);
bool rcp_decode_control(rcp_decoding *d, LLVMValueRef i, LLVMOpcode op);
void rcp_decode_call(rcp_decoding *d, LLVMValueRef i);
void rcp_decode_intrinsic(rcp_decoding *d, LLVMValueRef i, LLVMValueRef function);
/* Is the compare part of the branch that follows it? */
bool rcp_is_fused(rcp_decoding *d, LLVMValueRef compare);
/* One lane. */
/* After a float operation made `to` of a, b and e: a NaN of its own has the sign that the program's machine gives. */
void rcp_emit_own_nan(rcp_decoding *d, rcp_scalar scalar, int32_t to, int32_t a, int32_t b, int32_t e);
void rcp_emit_binary(rcp_decoding *d, rcp_binary op, rcp_scalar scalar, int32_t to, int32_t a, int32_t b);
void rcp_emit_conversion(rcp_decoding *d, rcp_conversion op, rcp_scalar from, rcp_scalar to_scalar, int32_t to,
                         int32_t a);

#endif
