/* SPDX-License-Identifier: Apache-2.0 */
/* Intrinsics. Those that are steps of their own (copies, thread-local addresses, logged values) come by their kind, the
 * rest by name (program/ir/intrinsics.h). */
#include "program/ir/state.h"
#include "program/ir/intrinsics.h"

#include <string.h>

static int32_t argument(rcp_decoding *d, LLVMValueRef i, unsigned k) { return rcp_slot(d, LLVMGetArgOperand(i, k)); }

/* Out of a number? */
static bool makes_nan(int unary) {
    switch (unary) {
    case RCP_UN_SQRT:
    case RCP_UN_SIN:
    case RCP_UN_COS:
    case RCP_UN_TAN:
    case RCP_UN_LOG:
    case RCP_UN_LOG2:
    case RCP_UN_LOG10: return true;
    default: return false;
    }
}

/* Lane by lane. */
static void emit_lanes(rcp_decoding *d, LLVMValueRef i, rcp_intrinsic_shape form, int what) {
    LLVMTypeRef from_type = LLVMTypeOf(LLVMGetArgOperand(i, 0));
    rcp_scalar from = rcp_scalar_of(d, from_type);
    LLVMTypeRef type = form == RCP_INTRINSIC_OVERFLOW ? from_type : LLVMTypeOf(i);
    rcp_scalar scalar = rcp_scalar_of(d, type);
    if (!rcp_computes(d, scalar) || !rcp_computes(d, from))
        return;
    d->routine->rounds |= RCP_SCALAR_KIND(from) != RCP_SCALAR_INT;
    int32_t n = (int32_t)rcp_lanes_of(type), step = (int32_t)RCP_SCALAR_SLOTS(scalar);
    int32_t from_step = (int32_t)RCP_SCALAR_SLOTS(from), to = rcp_slot(d, i), a = argument(d, i, 0);
    int32_t b = form == RCP_INTRINSIC_BINARY || form == RCP_INTRINSIC_FUNNEL || form == RCP_INTRINSIC_FMA ||
                        form == RCP_INTRINSIC_OVERFLOW
                    ? argument(d, i, 1)
                    : 0;
    int32_t e = form == RCP_INTRINSIC_FUNNEL || form == RCP_INTRINSIC_FMA ? argument(d, i, 2) : 0;
    bool scalar_b = form == RCP_INTRINSIC_BINARY &&
                    (what == RCP_BIN_POWI || what == RCP_BIN_LDEXP || what == RCP_BIN_FPCLASS) &&
                    LLVMGetTypeKind(LLVMTypeOf(LLVMGetArgOperand(i, 1))) != LLVMVectorTypeKind;
    for (int32_t k = 0; k < n; k++) {
        int32_t t = to + k * step, x = a + k * from_step, y = scalar_b ? b : b + k * from_step;
        rcp_ins *ins;
        switch (form) {
        case RCP_INTRINSIC_BINARY:
            if (what == RCP_BIN_UCMP || what == RCP_BIN_SCMP || what == RCP_BIN_FPCLASS) {
                ins = rcp_emit(d, RCP_INS_BINARY, t, x, y);
                ins->k = (uint16_t)what;
                ins->c = (int32_t)from;
                ins->e = (int32_t)scalar;
            } else
                rcp_emit_binary(d, (rcp_binary)what, scalar, t, x, y);
            break;
        case RCP_INTRINSIC_UNARY:
            ins = rcp_emit(d, RCP_INS_UNARY, t, x, 0);
            ins->k = (uint16_t)what;
            ins->c = (int32_t)scalar;
            if (makes_nan(what))
                rcp_emit_own_nan(d, scalar, t, x, x, x);
            break;
        case RCP_INTRINSIC_CONVERT: rcp_emit_conversion(d, (rcp_conversion)what, from, scalar, t, x); break;
        case RCP_INTRINSIC_FMA:
        case RCP_INTRINSIC_FUNNEL:
            ins = rcp_emit(d, form == RCP_INTRINSIC_FMA ? RCP_INS_FMA : RCP_INS_FUNNEL, t, x, y);
            ins->k = (uint16_t)what;
            ins->c = (int32_t)scalar;
            ins->e = e + k * step;
            if (form == RCP_INTRINSIC_FMA)
                rcp_emit_own_nan(d, scalar, t, x, y, e + k * step);
            break;
        default:
            if (n != 1) { /* a struct of two vectors: all results, then all flags */
                rcp_refuse_decode(d, "arithmetic with overflow on vectors");
                return;
            }
            ins = rcp_emit(d, RCP_INS_OVERFLOW, t, x, y);
            ins->k = (uint16_t)what;
            ins->c = (int32_t)scalar;
        }
    }
}

static void emit_reduction(rcp_decoding *d, LLVMValueRef i, rcp_binary op, bool from_first) {
    LLVMValueRef row = LLVMGetArgOperand(i, from_first ? 1 : 0);
    rcp_scalar scalar = rcp_scalar_of(d, LLVMTypeOf(row));
    int32_t step = (int32_t)RCP_SCALAR_SLOTS(scalar), to = rcp_slot(d, i), lane = rcp_slot(d, row);
    int32_t first = from_first ? argument(d, i, 0) : lane;
    for (int32_t s = 0; s < step; s++)
        rcp_emit(d, RCP_INS_MOVE, to + s, first + s, 0);
    for (int32_t k = from_first ? 0 : 1, n = (int32_t)rcp_lanes_of(LLVMTypeOf(row)); k < n; k++)
        rcp_emit_binary(d, op, scalar, to, to, lane + k * step);
}

static void emit_same(rcp_decoding *d, LLVMValueRef i) {
    int32_t to = rcp_slot(d, i), from = argument(d, i, 0);
    for (int32_t k = 0, n = (int32_t)rcp_slots_of(d, LLVMTypeOf(i)); k < n; k++)
        rcp_emit(d, RCP_INS_MOVE, to + k, from + k, 0);
}

/* A va_list, as the machine has it. */
static int64_t list_size(const rcp_decoding *d) {
    enum { AARCH64 = 32, X86_64 = 24 };
    return strncmp(LLVMGetTarget(d->unit->module), "aarch64", 7) ? X86_64 : AARCH64;
}

static bool is_named(const char *name, size_t len, const char *wanted) {
    return strlen(wanted) == len && !memcmp(name, wanted, len);
}

static void decode_by_name(rcp_decoding *d, LLVMValueRef i, const char *name, size_t len) {
    const rcp_intrinsic *intrinsic = rcp_intrinsic_find(name, len);
    if (!intrinsic && (is_named(name, len, "llvm.va_start") || is_named(name, len, "llvm.va_copy")))
        rcp_emit(d, RCP_INS_ARRIVES, 0, argument(d, i, 0), 0)->x = list_size(d);
    if (!intrinsic)
        return; /* void: what it writes is seen when the program reads it, as all that comes from outside */
    switch (intrinsic->shape) {
    case RCP_INTRINSIC_SAME: emit_same(d, i); return;
    case RCP_INTRINSIC_REDUCE: emit_reduction(d, i, (rcp_binary)intrinsic->what, false); return;
    case RCP_INTRINSIC_REDUCE_FROM: emit_reduction(d, i, (rcp_binary)intrinsic->what, true); return;
    case RCP_INTRINSIC_NOTHING: return;
    case RCP_INTRINSIC_TRAP: rcp_emit(d, RCP_INS_TRAP, 0, 0, 0); return;
    default: emit_lanes(d, i, intrinsic->shape, intrinsic->what);
    }
}

/* What the intrinsic is given, as if it were a call; 0: nothing. Else 1 + its number. */
static int32_t operands_of(rcp_decoding *d, LLVMValueRef i) {
    rcp_call call = {.name = "an intrinsic"};
    for (unsigned k = 0, n = LLVMGetNumArgOperands(i); k < n; k++) {
        LLVMValueRef argument = LLVMGetArgOperand(i, k);
        LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(argument));
        if (LLVMIsAConstant(argument) || kind == LLVMMetadataTypeKind || kind == LLVMTokenTypeKind)
            continue;
        int32_t slot = rcp_slot(d, argument);
        for (uint32_t s = 0, slots = rcp_slots_of(d, LLVMTypeOf(argument)); s < slots; s++)
            rcp_vec_push(&call.arguments, slot + (int32_t)s);
    }
    if (!call.arguments.len)
        return 0;
    rcp_vec_push(&d->routine->calls, call);
    return (int32_t)d->routine->calls.len;
}

void rcp_decode_intrinsic(rcp_decoding *d, LLVMValueRef i, LLVMValueRef function) {
    const rcp_step *step = rcp_step_of(d, i);
    size_t len;
    const char *name = rcp_steps_intrinsic(function, &len);
    switch (step ? step->kind : RCP_STEP_NONE) {
    case RCP_STEP_COPY: {
        rcp_ins *copy = rcp_emit(d, RCP_INS_COPY, argument(d, i, 2), argument(d, i, 0), argument(d, i, 1));
        copy->c = 2;
        copy->k = rcp_steps_has_metadata(i, RCP_STEPS_PADDING);
        return;
    }
    case RCP_STEP_FILL:
        rcp_emit(d, RCP_INS_FILL, argument(d, i, 2), argument(d, i, 0), argument(d, i, 1))->c = 1;
        return;
    case RCP_STEP_TLS: {
        uint32_t index = rcp_map_get(&d->unit->tls_index, (uint64_t)(uintptr_t)LLVMGetArgOperand(i, 0));
        if (index == RCP_MAP_NONE)
            rcp_refuse_decode(d, "the address of a thread-local variable that the module does not list");
        else
            rcp_emit(d, RCP_INS_THREAD_LOCAL, rcp_slot(d, i), 0, 0)->c = (int32_t)index;
        return;
    }
    case RCP_STEP_SAVE: rcp_emit(d, RCP_INS_SAVE, rcp_slot(d, i), 0, 0); return;
    case RCP_STEP_RESTORE: rcp_emit(d, RCP_INS_RESTORE, 0, argument(d, i, 0), 0); return;
    case RCP_STEP_VALUE: {
        uint32_t layout = rcp_layout_of(d, LLVMTypeOf(i));
        if (d->routine->layouts.at[layout].slots) {
            int32_t operands = operands_of(d, i);
            rcp_ins *value = rcp_emit(d, RCP_INS_VALUE, rcp_slot(d, i), 0, (int32_t)layout);
            value->c = operands;
            value->k = (uint16_t)((d->routine->layouts.at[layout].size + 7) / 8);
        }
        return;
    }
    default: break;
    }
    decode_by_name(d, i, name, len);
}
