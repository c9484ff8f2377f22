/* SPDX-License-Identifier: Apache-2.0 */
#include "instrument/neon_compute.h"

#include "program/ir/steps.h"

#include <string.h>

enum { LANES = 16 };

typedef struct maker {
    rcp_pass_unit *unit;
    LLVMBuilderRef b;
    LLVMValueRef call, first, second; /* operands; second: NULL where there is none */
    LLVMTypeRef type;                 /* of the result */
    unsigned lanes, bits;             /* of the first operand */
} maker;

typedef enum op {
    SAME,    /* a generic intrinsic does the same */
    ABS,     /* modulo */
    APART,   /* the larger less the smaller */
    HALF,    /* of the sum */
    HALF_UP, /* of the sum and one */
    HALF_OF_DIFFERENCE,
    LONG_PRODUCT,
    HIGH_PRODUCT, /* twice the product, its upper half, saturated */
    HIGH_PRODUCT_ROUNDED,
    LONG_PAIRS, /* sums of neighbours, twice as wide */
    PAIRS,      /* neighbours of both operands */
    NARROW,     /* saturated */
    NARROW_UNSIGNED,
    SHIFT_NARROW, /* to the right by a number, then the same */
    SHIFT_NARROW_UNSIGNED,
    ROUND_NARROW, /* to the right by a number, rounded, then the same */
    ROUND_NARROW_UNSIGNED,
    ROUND_CUT, /* and its upper half is lost */
    ROUND_SHIFT,
    INSERT_RIGHT,
    INSERT_LEFT,
    SUM, /* of all lanes, in the result's width */
    REDUCE
} op;

typedef struct row {
    const char *name; /* after llvm.aarch64.neon. */
    op op;
    bool is_signed;
    const char *generic;
} row;

static const row rows[] = {
    {"sqadd", SAME, true, "llvm.sadd.sat"},
    {"uqadd", SAME, false, "llvm.uadd.sat"},
    {"sqsub", SAME, true, "llvm.ssub.sat"},
    {"uqsub", SAME, false, "llvm.usub.sat"},
    {"smax", SAME, true, "llvm.smax"},
    {"smin", SAME, true, "llvm.smin"},
    {"umax", SAME, false, "llvm.umax"},
    {"umin", SAME, false, "llvm.umin"},
    {"abs", ABS, true, "llvm.abs"},
    {"sabd", APART, true, NULL},
    {"uabd", APART, false, NULL},
    {"shadd", HALF, true, NULL},
    {"uhadd", HALF, false, NULL},
    {"srhadd", HALF_UP, true, NULL},
    {"urhadd", HALF_UP, false, NULL},
    {"shsub", HALF_OF_DIFFERENCE, true, NULL},
    {"uhsub", HALF_OF_DIFFERENCE, false, NULL},
    {"smull", LONG_PRODUCT, true, NULL},
    {"umull", LONG_PRODUCT, false, NULL},
    {"sqdmulh", HIGH_PRODUCT, true, NULL},
    {"sqdmulh.lane", HIGH_PRODUCT, true, NULL},
    {"sqdmulh.laneq", HIGH_PRODUCT, true, NULL},
    {"sqrdmulh", HIGH_PRODUCT_ROUNDED, true, NULL},
    {"sqrdmulh.lane", HIGH_PRODUCT_ROUNDED, true, NULL},
    {"sqrdmulh.laneq", HIGH_PRODUCT_ROUNDED, true, NULL},
    {"saddlp", LONG_PAIRS, true, NULL},
    {"uaddlp", LONG_PAIRS, false, NULL},
    {"addp", PAIRS, true, NULL},
    {"smaxp", PAIRS, true, "llvm.smax"},
    {"sminp", PAIRS, true, "llvm.smin"},
    {"umaxp", PAIRS, false, "llvm.umax"},
    {"uminp", PAIRS, false, "llvm.umin"},
    {"sqxtn", NARROW, true, NULL},
    {"uqxtn", NARROW, false, NULL},
    {"sqxtun", NARROW_UNSIGNED, true, NULL},
    {"sqshrn", SHIFT_NARROW, true, NULL},
    {"uqshrn", SHIFT_NARROW, false, NULL},
    {"sqshrun", SHIFT_NARROW_UNSIGNED, true, NULL},
    {"sqrshrn", ROUND_NARROW, true, NULL},
    {"uqrshrn", ROUND_NARROW, false, NULL},
    {"sqrshrun", ROUND_NARROW_UNSIGNED, true, NULL},
    {"rshrn", ROUND_CUT, false, NULL},
    {"srshl", ROUND_SHIFT, true, NULL},
    {"urshl", ROUND_SHIFT, false, NULL},
    {"vsri", INSERT_RIGHT, false, NULL},
    {"vsli", INSERT_LEFT, false, NULL},
    {"saddlv", SUM, true, NULL},
    {"uaddlv", SUM, false, NULL},
    {"smaxv", REDUCE, true, "llvm.vector.reduce.smax"},
    {"sminv", REDUCE, true, "llvm.vector.reduce.smin"},
    {"umaxv", REDUCE, false, "llvm.vector.reduce.umax"},
    {"uminv", REDUCE, false, "llvm.vector.reduce.umin"},
};

static const row *find(LLVMValueRef function) {
    static const char prefix[] = "llvm.aarch64.neon.";
    const size_t skip = sizeof prefix - 1;
    size_t len;
    const char *name = function ? rcp_steps_intrinsic(function, &len) : NULL;
    if (!name || len <= skip || memcmp(name, prefix, skip))
        return NULL;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strlen(rows[i].name) == len - skip && !memcmp(rows[i].name, name + skip, len - skip))
            return &rows[i];
    return NULL;
}

static bool is_vector_of_integers(LLVMValueRef v) {
    LLVMTypeRef type = LLVMTypeOf(v);
    return LLVMGetTypeKind(type) == LLVMVectorTypeKind &&
           LLVMGetTypeKind(LLVMGetElementType(type)) == LLVMIntegerTypeKind && LLVMGetVectorSize(type) <= LANES;
}

static LLVMTypeRef vector(const maker *m, unsigned bits) {
    return LLVMVectorType(LLVMIntTypeInContext(m->unit->context, bits), m->lanes);
}

/* In every lane of a vector like `like`. */
static LLVMValueRef every(LLVMValueRef like, uint64_t value) {
    LLVMTypeRef type = LLVMTypeOf(like);
    LLVMValueRef lanes[2 * LANES];
    const unsigned n = LLVMGetVectorSize(type);
    for (unsigned i = 0; i < n; i++)
        lanes[i] = LLVMConstInt(LLVMGetElementType(type), value, false);
    return LLVMConstVector(lanes, n);
}

static LLVMValueRef extend(const maker *m, LLVMValueRef v, bool is_signed, LLVMTypeRef to) {
    return is_signed ? LLVMBuildSExt(m->b, v, to, "") : LLVMBuildZExt(m->b, v, to, "");
}
static LLVMValueRef shift(const maker *m, LLVMValueRef v, bool is_signed, unsigned by) {
    LLVMValueRef n = every(v, by);
    return is_signed ? LLVMBuildAShr(m->b, v, n, "") : LLVMBuildLShr(m->b, v, n, "");
}

static LLVMValueRef generic(const maker *m, const char *name, LLVMValueRef x, LLVMValueRef y) {
    LLVMTypeRef type = LLVMTypeOf(x);
    return rcp_unit_build_intrinsic(m->unit, m->b, name, &type, 1, (LLVMValueRef[]){x, y}, y ? 2 : 1);
}

static LLVMValueRef half(const maker *m, const row *r) {
    LLVMTypeRef wide = vector(m, 2 * m->bits);
    LLVMValueRef x = extend(m, m->first, r->is_signed, wide), y = extend(m, m->second, r->is_signed, wide);
    LLVMValueRef all = r->op == HALF_OF_DIFFERENCE ? LLVMBuildSub(m->b, x, y, "") : LLVMBuildAdd(m->b, x, y, "");
    if (r->op == HALF_UP)
        all = LLVMBuildAdd(m->b, all, every(all, 1), "");
    return LLVMBuildTrunc(m->b, shift(m, all, r->is_signed, 1), m->type, "");
}

/* Saturation is needed for the two smallest numbers alone. */
static LLVMValueRef high_product(const maker *m, const row *r) {
    LLVMTypeRef wide = vector(m, 2 * m->bits);
    LLVMValueRef y = m->second;
    if (LLVMGetNumArgOperands(m->call) == 3) { /* one lane of it */
        LLVMValueRef lane = LLVMGetArgOperand(m->call, 2), mask[LANES];
        for (unsigned i = 0; i < m->lanes; i++)
            mask[i] = lane;
        y = LLVMBuildShuffleVector(m->b, y, y, LLVMConstVector(mask, m->lanes), "");
    }
    LLVMValueRef product = LLVMBuildMul(m->b, extend(m, m->first, true, wide), extend(m, y, true, wide), "");
    if (r->op == HIGH_PRODUCT_ROUNDED)
        product = LLVMBuildAdd(m->b, product, every(product, UINT64_C(1) << (m->bits - 2)), "");
    LLVMValueRef high = shift(m, product, true, m->bits - 1);
    high = generic(m, "llvm.smin", high, every(high, (UINT64_C(1) << (m->bits - 1)) - 1));
    return LLVMBuildTrunc(m->b, high, m->type, "");
}

/* Every second lane of `x` and `y` one after the other, from `first` on. */
static LLVMValueRef every_second(const maker *m, LLVMValueRef x, LLVMValueRef y, unsigned first, unsigned n) {
    LLVMValueRef mask[LANES];
    for (unsigned i = 0; i < n; i++)
        mask[i] = LLVMConstInt(m->unit->i32, 2 * i + first, false);
    return LLVMBuildShuffleVector(m->b, x, y, LLVMConstVector(mask, n), "");
}

static LLVMValueRef pairs(const maker *m, const row *r) {
    const bool is_long = r->op == LONG_PAIRS;
    LLVMValueRef other = is_long ? m->first : m->second;
    const unsigned n = is_long ? m->lanes / 2 : m->lanes;
    LLVMValueRef x = every_second(m, m->first, other, 0, n), y = every_second(m, m->first, other, 1, n);
    if (is_long)
        x = extend(m, x, r->is_signed, m->type), y = extend(m, y, r->is_signed, m->type);
    return r->generic ? generic(m, r->generic, x, y) : LLVMBuildAdd(m->b, x, y, "");
}

/* To half as many bits. */
static LLVMValueRef narrow(const maker *m, LLVMValueRef v, bool from_signed, bool to_signed) {
    const unsigned bits = m->bits / 2;
    const uint64_t most = to_signed ? (UINT64_C(1) << (bits - 1)) - 1 : (UINT64_C(1) << bits) - 1;
    if (from_signed)
        v = generic(m, "llvm.smax", v, every(v, to_signed ? ~most : 0));
    v = generic(m, from_signed ? "llvm.smin" : "llvm.umin", v, every(v, most));
    return LLVMBuildTrunc(m->b, v, m->type, "");
}

/* Nothing is lost on the way, as it might be if what rounds were added first. */
static LLVMValueRef round_shift(const maker *m, LLVMValueRef v, bool is_signed, unsigned by) {
    LLVMValueRef last = LLVMBuildAnd(m->b, shift(m, v, false, by - 1), every(v, 1), "");
    return LLVMBuildAdd(m->b, shift(m, v, is_signed, by), last, "");
}

static LLVMValueRef narrow_shifted(const maker *m, const row *r) {
    if (!LLVMIsAConstantInt(m->second))
        return NULL;
    const uint64_t by = LLVMConstIntGetZExtValue(m->second);
    if (!by || by > m->bits / 2)
        return NULL;
    LLVMValueRef v = m->first;
    switch (r->op) {
    case ROUND_CUT: /* what is lost above would be lost anyway */
        v = LLVMBuildAdd(m->b, v, every(v, UINT64_C(1) << (by - 1)), "");
        return LLVMBuildTrunc(m->b, shift(m, v, false, (unsigned)by), m->type, "");
    case ROUND_NARROW:
    case ROUND_NARROW_UNSIGNED: v = round_shift(m, v, r->is_signed, (unsigned)by); break;
    default: v = shift(m, v, r->is_signed, (unsigned)by); break;
    }
    return narrow(m, v, r->is_signed, r->is_signed && (r->op == SHIFT_NARROW || r->op == ROUND_NARROW));
}

/* By as many in every lane: to the left, or to the right where that is negative. */
static LLVMValueRef shift_by_constant(const maker *m, const row *r) {
    LLVMValueRef by = m->second;
    if (LLVMIsNull(by))
        return m->first;
    if (!LLVMIsAConstantDataVector(by))
        return NULL;
    const int64_t n = (int8_t)LLVMConstIntGetSExtValue(LLVMGetAggregateElement(by, 0)); /* the lowest byte counts */
    for (unsigned i = 1; i < m->lanes; i++)
        if ((int8_t)LLVMConstIntGetSExtValue(LLVMGetAggregateElement(by, i)) != n)
            return NULL;
    if (n <= -(int64_t)m->bits || n >= (int64_t)m->bits || !n)
        return NULL;
    return n > 0 ? LLVMBuildShl(m->b, m->first, every(m->first, (uint64_t)n), "")
                 : round_shift(m, m->first, r->is_signed, (unsigned)-n);
}

static LLVMValueRef insert_shifted(const maker *m, const row *r) {
    LLVMValueRef number = LLVMGetArgOperand(m->call, 2);
    const uint64_t by = LLVMIsAConstantInt(number) ? LLVMConstIntGetZExtValue(number) : UINT64_MAX;
    if (by >= m->bits)
        return NULL;
    const uint64_t ones = m->bits == 64 ? UINT64_MAX : (UINT64_C(1) << m->bits) - 1;
    const bool right = r->op == INSERT_RIGHT;
    const uint64_t inserted = right ? ones >> by : ones << by & ones;
    LLVMValueRef n = every(m->second, by);
    LLVMValueRef moved = right ? LLVMBuildLShr(m->b, m->second, n, "") : LLVMBuildShl(m->b, m->second, n, "");
    return LLVMBuildOr(m->b, LLVMBuildAnd(m->b, m->first, every(m->first, ones & ~inserted), ""), moved, "");
}

static LLVMValueRef reduce(const maker *m, const row *r) {
    if (LLVMGetTypeKind(m->type) != LLVMIntegerTypeKind)
        return NULL;
    const unsigned bits = LLVMGetIntTypeWidth(m->type);
    if (r->op == SUM)
        return bits > m->bits
                   ? generic(m, "llvm.vector.reduce.add", extend(m, m->first, r->is_signed, vector(m, bits)), NULL)
                   : NULL;
    LLVMValueRef one = generic(m, r->generic, m->first, NULL);
    return bits == m->bits ? one : bits > m->bits ? extend(m, one, r->is_signed, m->type) : NULL;
}

LLVMValueRef rcp_neon_compute(rcp_pass_unit *unit, LLVMBuilderRef builder, LLVMValueRef call) {
    const row *r = find(LLVMIsAFunction(LLVMGetCalledValue(call)));
    if (!r || !is_vector_of_integers(LLVMGetArgOperand(call, 0)))
        return NULL;
    const unsigned n = LLVMGetNumArgOperands(call);
    maker m = {
        unit, builder, call, LLVMGetArgOperand(call, 0), n > 1 ? LLVMGetArgOperand(call, 1) : NULL, LLVMTypeOf(call),
        0,    0};
    m.lanes = LLVMGetVectorSize(LLVMTypeOf(m.first));
    m.bits = LLVMGetIntTypeWidth(LLVMGetElementType(LLVMTypeOf(m.first)));
    switch (r->op) {
    case SAME: return generic(&m, r->generic, m.first, m.second);
    case ABS: return generic(&m, r->generic, m.first, LLVMConstNull(unit->i1));
    case APART:
        return LLVMBuildSub(builder, generic(&m, r->is_signed ? "llvm.smax" : "llvm.umax", m.first, m.second),
                            generic(&m, r->is_signed ? "llvm.smin" : "llvm.umin", m.first, m.second), "");
    case HALF:
    case HALF_UP:
    case HALF_OF_DIFFERENCE: return half(&m, r);
    case LONG_PRODUCT:
        return LLVMBuildMul(builder, extend(&m, m.first, r->is_signed, m.type),
                            extend(&m, m.second, r->is_signed, m.type), "");
    case HIGH_PRODUCT:
    case HIGH_PRODUCT_ROUNDED: return high_product(&m, r);
    case LONG_PAIRS:
    case PAIRS: return pairs(&m, r);
    case NARROW:
    case NARROW_UNSIGNED: return narrow(&m, m.first, r->is_signed, r->is_signed && r->op == NARROW);
    case SHIFT_NARROW:
    case SHIFT_NARROW_UNSIGNED:
    case ROUND_NARROW:
    case ROUND_NARROW_UNSIGNED:
    case ROUND_CUT: return narrow_shifted(&m, r);
    case ROUND_SHIFT: return shift_by_constant(&m, r);
    case INSERT_RIGHT:
    case INSERT_LEFT: return insert_shifted(&m, r);
    case SUM:
    case REDUCE: return reduce(&m, r);
    }
    return NULL;
}
