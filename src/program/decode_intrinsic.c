/* SPDX-License-Identifier: Apache-2.0 */
/* Intrinsics. Those that are steps of their own (copies, thread-local addresses, logged values) come by their kind, the
 * rest by name; what is void and not named here has no effect on what the program computes. */
#include "program/decoder_state.h"

#include <string.h>

typedef enum shape {
    BINARY,   /* rcp_binary */
    UNARY,    /* rcp_unary; further arguments are hints */
    OVERFLOW, /* rcp_overflow */
    FUNNEL,   /* 1: left */
    FMA,
    CONVERT,     /* rcp_conversion */
    SAME,        /* its first argument */
    REDUCE,      /* rcp_binary over the lanes of the only argument */
    REDUCE_FROM, /* rcp_binary over the first argument, then the lanes of the second, in order */
    NOTHING,
    TRAP,
    IS_CONSTANT,
    OBJECT_SIZE,
} shape;

/* Sorted by nothing: a call is decoded once. */
static const struct {
    const char *name;
    shape shape;
    int what;
} intrinsics[] = {
    {"llvm.umin", BINARY, RCP_BIN_UMIN},
    {"llvm.umax", BINARY, RCP_BIN_UMAX},
    {"llvm.smin", BINARY, RCP_BIN_SMIN},
    {"llvm.smax", BINARY, RCP_BIN_SMAX},
    {"llvm.uadd.sat", BINARY, RCP_BIN_UADD_SAT},
    {"llvm.usub.sat", BINARY, RCP_BIN_USUB_SAT},
    {"llvm.sadd.sat", BINARY, RCP_BIN_SADD_SAT},
    {"llvm.ssub.sat", BINARY, RCP_BIN_SSUB_SAT},
    {"llvm.ushl.sat", BINARY, RCP_BIN_USHL_SAT},
    {"llvm.sshl.sat", BINARY, RCP_BIN_SSHL_SAT},
    {"llvm.ucmp", BINARY, RCP_BIN_UCMP},
    {"llvm.scmp", BINARY, RCP_BIN_SCMP},
    {"llvm.minnum", BINARY, RCP_BIN_MINNUM},
    {"llvm.maxnum", BINARY, RCP_BIN_MAXNUM},
    {"llvm.minimum", BINARY, RCP_BIN_MINIMUM},
    {"llvm.maximum", BINARY, RCP_BIN_MAXIMUM},
    {"llvm.copysign", BINARY, RCP_BIN_COPYSIGN},
    {"llvm.pow", BINARY, RCP_BIN_POW},
    {"llvm.powi", BINARY, RCP_BIN_POWI},
    {"llvm.ldexp", BINARY, RCP_BIN_LDEXP},
    {"llvm.bswap", UNARY, RCP_UN_BSWAP},
    {"llvm.bitreverse", UNARY, RCP_UN_BITREVERSE},
    {"llvm.ctlz", UNARY, RCP_UN_CTLZ},
    {"llvm.cttz", UNARY, RCP_UN_CTTZ},
    {"llvm.ctpop", UNARY, RCP_UN_CTPOP},
    {"llvm.abs", UNARY, RCP_UN_ABS},
    {"llvm.fabs", UNARY, RCP_UN_FABS},
    {"llvm.sqrt", UNARY, RCP_UN_SQRT},
    {"llvm.floor", UNARY, RCP_UN_FLOOR},
    {"llvm.ceil", UNARY, RCP_UN_CEIL},
    {"llvm.trunc", UNARY, RCP_UN_TRUNC},
    {"llvm.rint", UNARY, RCP_UN_RINT},
    {"llvm.nearbyint", UNARY, RCP_UN_NEARBYINT},
    {"llvm.round", UNARY, RCP_UN_ROUND},
    {"llvm.roundeven", UNARY, RCP_UN_ROUNDEVEN},
    {"llvm.sin", UNARY, RCP_UN_SIN},
    {"llvm.cos", UNARY, RCP_UN_COS},
    {"llvm.tan", UNARY, RCP_UN_TAN},
    {"llvm.exp", UNARY, RCP_UN_EXP},
    {"llvm.exp2", UNARY, RCP_UN_EXP2},
    {"llvm.exp10", UNARY, RCP_UN_EXP10},
    {"llvm.log", UNARY, RCP_UN_LOG},
    {"llvm.log2", UNARY, RCP_UN_LOG2},
    {"llvm.log10", UNARY, RCP_UN_LOG10},
    {"llvm.uadd.with.overflow", OVERFLOW, RCP_OVER_UADD},
    {"llvm.usub.with.overflow", OVERFLOW, RCP_OVER_USUB},
    {"llvm.umul.with.overflow", OVERFLOW, RCP_OVER_UMUL},
    {"llvm.sadd.with.overflow", OVERFLOW, RCP_OVER_SADD},
    {"llvm.ssub.with.overflow", OVERFLOW, RCP_OVER_SSUB},
    {"llvm.smul.with.overflow", OVERFLOW, RCP_OVER_SMUL},
    {"llvm.fshl", FUNNEL, 1},
    {"llvm.fshr", FUNNEL, 0},
    {"llvm.fma", FMA, 0},
    {"llvm.fptosi.sat", CONVERT, RCP_CONV_FP_TO_SI},
    {"llvm.fptoui.sat", CONVERT, RCP_CONV_FP_TO_UI},
    {"llvm.lrint", CONVERT, RCP_CONV_ROUND_TO_SI},
    {"llvm.llrint", CONVERT, RCP_CONV_ROUND_TO_SI},
    {"llvm.lround", CONVERT, RCP_CONV_LROUND},
    {"llvm.llround", CONVERT, RCP_CONV_LROUND},
    {"llvm.expect", SAME, 0},
    {"llvm.expect.with.probability", SAME, 0},
    {"llvm.launder.invariant.group", SAME, 0},
    {"llvm.strip.invariant.group", SAME, 0},
    {"llvm.ssa.copy", SAME, 0},
    {"llvm.annotation", SAME, 0},
    {"llvm.ptr.annotation", SAME, 0},
    {"llvm.arithmetic.fence", SAME, 0},
    {"llvm.vector.reduce.add", REDUCE, RCP_BIN_ADD},
    {"llvm.vector.reduce.mul", REDUCE, RCP_BIN_MUL},
    {"llvm.vector.reduce.and", REDUCE, RCP_BIN_AND},
    {"llvm.vector.reduce.or", REDUCE, RCP_BIN_OR},
    {"llvm.vector.reduce.xor", REDUCE, RCP_BIN_XOR},
    {"llvm.vector.reduce.umin", REDUCE, RCP_BIN_UMIN},
    {"llvm.vector.reduce.umax", REDUCE, RCP_BIN_UMAX},
    {"llvm.vector.reduce.smin", REDUCE, RCP_BIN_SMIN},
    {"llvm.vector.reduce.smax", REDUCE, RCP_BIN_SMAX},
    {"llvm.vector.reduce.fmin", REDUCE, RCP_BIN_MINNUM},
    {"llvm.vector.reduce.fmax", REDUCE, RCP_BIN_MAXNUM},
    {"llvm.vector.reduce.fadd", REDUCE_FROM, RCP_BIN_FADD},
    {"llvm.vector.reduce.fmul", REDUCE_FROM, RCP_BIN_FMUL},
    {"llvm.invariant.start", NOTHING, 0},
    {"llvm.trap", TRAP, 0},
    {"llvm.debugtrap", TRAP, 0},
    {"llvm.ubsantrap", TRAP, 0},
    {"llvm.is.constant", IS_CONSTANT, 0},
    {"llvm.objectsize", OBJECT_SIZE, 0},
};

static int32_t argument(rcp_decoding *d, LLVMValueRef i, unsigned k) { return rcp_slot(d, LLVMGetArgOperand(i, k)); }

/* Lane by lane. */
static void emit_lanes(rcp_decoding *d, LLVMValueRef i, shape form, int what) {
    LLVMTypeRef from_type = LLVMTypeOf(LLVMGetArgOperand(i, 0));
    rcp_scalar from = rcp_scalar_of(d, from_type);
    LLVMTypeRef type = form == OVERFLOW ? from_type : LLVMTypeOf(i);
    rcp_scalar scalar = rcp_scalar_of(d, type);
    if (!rcp_computes(d, scalar) || !rcp_computes(d, from))
        return;
    int32_t n = (int32_t)rcp_lanes_of(type), step = (int32_t)RCP_SCALAR_SLOTS(scalar);
    int32_t from_step = (int32_t)RCP_SCALAR_SLOTS(from), to = rcp_slot(d, i), a = argument(d, i, 0);
    int32_t b = form == BINARY || form == FUNNEL || form == FMA || form == OVERFLOW ? argument(d, i, 1) : 0;
    int32_t e = form == FUNNEL || form == FMA ? argument(d, i, 2) : 0;
    bool scalar_b = form == BINARY && (what == RCP_BIN_POWI || what == RCP_BIN_LDEXP) &&
                    LLVMGetTypeKind(LLVMTypeOf(LLVMGetArgOperand(i, 1))) != LLVMVectorTypeKind;
    for (int32_t k = 0; k < n; k++) {
        int32_t t = to + k * step, x = a + k * from_step, y = scalar_b ? b : b + k * from_step;
        rcp_ins *ins;
        switch (form) {
        case BINARY:
            if (what == RCP_BIN_UCMP || what == RCP_BIN_SCMP) {
                ins = rcp_emit(d, RCP_INS_BINARY, t, x, y);
                ins->k = (uint16_t)what;
                ins->c = (int32_t)from;
                ins->e = (int32_t)scalar;
            } else
                rcp_emit_binary(d, (rcp_binary)what, scalar, t, x, y);
            break;
        case UNARY:
            ins = rcp_emit(d, RCP_INS_UNARY, t, x, 0);
            ins->k = (uint16_t)what;
            ins->c = (int32_t)scalar;
            break;
        case CONVERT: rcp_emit_conversion(d, (rcp_conversion)what, from, scalar, t, x); break;
        case FMA:
        case FUNNEL:
            ins = rcp_emit(d, form == FMA ? RCP_INS_FMA : RCP_INS_FUNNEL, t, x, y);
            ins->k = (uint16_t)what;
            ins->c = (int32_t)scalar;
            ins->e = e + k * step;
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

static void decode_by_name(rcp_decoding *d, LLVMValueRef i, LLVMValueRef function) {
    size_t len;
    const char *name = rcp_steps_intrinsic(function, &len);
    for (size_t k = 0; k < sizeof intrinsics / sizeof *intrinsics; k++) {
        if (strlen(intrinsics[k].name) != len || memcmp(intrinsics[k].name, name, len))
            continue;
        int what = intrinsics[k].what;
        switch (intrinsics[k].shape) {
        case SAME: emit_same(d, i); return;
        case REDUCE: emit_reduction(d, i, (rcp_binary)what, false); return;
        case REDUCE_FROM: emit_reduction(d, i, (rcp_binary)what, true); return;
        case NOTHING: return;
        case TRAP: rcp_emit(d, RCP_INS_TRAP, 0, 0, 0); return;
        case IS_CONSTANT: rcp_emit(d, RCP_INS_MOVE, rcp_slot(d, i), rcp_slot_of_word(d, 0), 0); return;
        case OBJECT_SIZE: rcp_refuse_decode(d, "%.*s", (int)len, name); return;
        default: emit_lanes(d, i, intrinsics[k].shape, what); return;
        }
    }
    if (LLVMGetTypeKind(LLVMTypeOf(i)) != LLVMVoidTypeKind)
        rcp_refuse_decode(d, "%.*s", (int)len, name);
}

/* Void intrinsics that write memory, which nothing here would see. */
static bool writes_unseen(const char *name, size_t len) {
    static const char *const writers[] = {"llvm.masked.store", "llvm.masked.scatter", "llvm.masked.compressstore",
                                          "llvm.memcpy.element.unordered.atomic", "llvm.matrix.column.major.store"};
    for (size_t k = 0; k < sizeof writers / sizeof *writers; k++)
        if (strlen(writers[k]) == len && !memcmp(writers[k], name, len))
            return true;
    return false;
}

void rcp_decode_intrinsic(rcp_decoding *d, LLVMValueRef i, LLVMValueRef function) {
    const rcp_step *step = rcp_step_of(d, i);
    size_t len;
    const char *name = rcp_steps_intrinsic(function, &len);
    switch (step ? step->kind : RCP_STEP_NONE) {
    case RCP_STEP_COPY:
        rcp_emit(d, RCP_INS_COPY, argument(d, i, 2), argument(d, i, 0), argument(d, i, 1))->c = 2;
        return;
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
    case RCP_STEP_VALUE:
        if (rcp_slots_of(d, LLVMTypeOf(i)) != 1)
            rcp_refuse_decode(d, "%.*s", (int)len, name);
        else
            rcp_emit(d, RCP_INS_VALUE, rcp_slot(d, i), 0, 0);
        return;
    default: break;
    }
    if (writes_unseen(name, len))
        rcp_refuse_decode(d, "%.*s", (int)len, name);
    else
        decode_by_name(d, i, function);
}
