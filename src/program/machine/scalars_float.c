/* SPDX-License-Identifier: Apache-2.0 */
/* Half and bfloat are computed as float and rounded: for + - * / and the square root that is exact, because float has
 * more than twice their bits and two (Figueroa 1995). */
#include "program/machine/scalars_float.h"

#include <math.h>
#include <string.h>

static float from_half(uint16_t h) {
    uint32_t sign = (uint32_t)(h & 0x8000) << 16, exponent = h >> 10 & 31, fraction = h & 1023, bits;
    float f;
    if (exponent == 31)
        bits = sign | 0x7f800000 | fraction << 13;
    else if (exponent)
        bits = sign | (exponent + 112) << 23 | fraction << 13;
    else {
        f = ldexpf((float)fraction, -24);
        return sign ? -f : f;
    }
    memcpy(&f, &bits, sizeof f);
    return f;
}

/* Rounds to nearest, ties to even. Through double, so that a double is rounded once. */
static uint16_t to_half(double x) {
    uint16_t sign = signbit(x) ? 0x8000 : 0;
    double magnitude = fabs(x);
    if (isnan(x)) {
        uint64_t bits;
        memcpy(&bits, &x, sizeof bits);
        return (uint16_t)(sign | 0x7e00 | (bits >> 42 & 1023));
    }
    if (magnitude >= 65520)
        return sign | 0x7c00;
    if (magnitude < ldexp(1, -14)) /* a denormal, or the smallest normal by rounding */
        return (uint16_t)(sign | (uint16_t)nearbyint(ldexp(magnitude, 24)));
    int exponent;
    double fraction = frexp(magnitude, &exponent);              /* in [0.5, 1) */
    uint32_t digits = (uint32_t)nearbyint(ldexp(fraction, 11)); /* 1024 to 2048 */
    return (uint16_t)(sign | (((uint32_t)(exponent + 13) << 10) + digits));
}

static float from_bfloat(uint16_t b) {
    uint32_t bits = (uint32_t)b << 16;
    float f;
    memcpy(&f, &bits, sizeof f);
    return f;
}

static uint16_t to_bfloat(float x) {
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    if (isnan(x))
        return (uint16_t)(bits >> 16 | 0x40);
    return (uint16_t)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

static double get_double(const uint64_t *row) {
    double x;
    memcpy(&x, row, sizeof x);
    return x;
}

static float get_float(rcp_scalar scalar, const uint64_t *row) {
    float x;
    if (RCP_SCALAR_KIND(scalar) == RCP_SCALAR_HALF)
        return from_half((uint16_t)row[0]);
    if (RCP_SCALAR_KIND(scalar) == RCP_SCALAR_BFLOAT)
        return from_bfloat((uint16_t)row[0]);
    memcpy(&x, row, sizeof x);
    return x;
}

static long double get_long(rcp_scalar scalar, const uint64_t *row) {
    switch (RCP_SCALAR_KIND(scalar)) {
    case RCP_SCALAR_DOUBLE: return get_double(row);
    case RCP_SCALAR_QUAD:
    case RCP_SCALAR_X87: {
        long double x = 0;
        memcpy(&x, row, RCP_SCALAR_BITS(scalar) / 8);
        return x;
    }
    default: return get_float(scalar, row);
    }
}

static void put_double(uint64_t *row, double x) { memcpy(row, &x, sizeof x); }

static void put_float(rcp_scalar scalar, uint64_t *row, float x) {
    row[0] = 0;
    if (RCP_SCALAR_KIND(scalar) == RCP_SCALAR_HALF)
        row[0] = to_half(x);
    else if (RCP_SCALAR_KIND(scalar) == RCP_SCALAR_BFLOAT)
        row[0] = to_bfloat(x);
    else
        memcpy(row, &x, sizeof x);
}

static void put_long(rcp_scalar scalar, uint64_t *row, long double x) {
    switch (RCP_SCALAR_KIND(scalar)) {
    case RCP_SCALAR_HALF: row[0] = to_half((double)x); return;
    case RCP_SCALAR_DOUBLE: put_double(row, (double)x); return;
    case RCP_SCALAR_QUAD:
    case RCP_SCALAR_X87:
        row[0] = row[1] = 0;
        memcpy(row, &x, RCP_SCALAR_BITS(scalar) / 8);
        return;
    default: put_float(scalar, row, (float)x);
    }
}

/* One body for the three types that C computes with. */
#define BINARY_BODY(type, suffix)                                                                                      \
    static type binary##suffix(rcp_binary op, type x, type y) {                                                        \
        switch (op) {                                                                                                  \
        case RCP_BIN_FADD: return x + y;                                                                               \
        case RCP_BIN_FSUB: return x - y;                                                                               \
        case RCP_BIN_FMUL: return x * y;                                                                               \
        case RCP_BIN_FDIV: return x / y;                                                                               \
        case RCP_BIN_FREM: return fmod##suffix(x, y);                                                                  \
        case RCP_BIN_MINNUM: return fmin##suffix(x, y);                                                                \
        case RCP_BIN_MAXNUM: return fmax##suffix(x, y);                                                                \
        case RCP_BIN_MINIMUM: return x != x ? x : y != y ? y : x == y ? (signbit(x) ? x : y) : x < y ? x : y;          \
        case RCP_BIN_MAXIMUM: return x != x ? x : y != y ? y : x == y ? (signbit(x) ? y : x) : x > y ? x : y;          \
        case RCP_BIN_COPYSIGN: return copysign##suffix(x, y);                                                          \
        default: return pow##suffix(x, y);                                                                             \
        }                                                                                                              \
    }
BINARY_BODY(float, f)
BINARY_BODY(double, )
BINARY_BODY(long double, l)

#define UNARY_BODY(type, suffix)                                                                                       \
    static type unary##suffix(rcp_unary op, type x) {                                                                  \
        switch (op) {                                                                                                  \
        case RCP_UN_SQRT: return sqrt##suffix(x);                                                                      \
        case RCP_UN_FLOOR: return floor##suffix(x);                                                                    \
        case RCP_UN_CEIL: return ceil##suffix(x);                                                                      \
        case RCP_UN_TRUNC: return trunc##suffix(x);                                                                    \
        case RCP_UN_RINT: return rint##suffix(x);                                                                      \
        case RCP_UN_NEARBYINT: return nearbyint##suffix(x);                                                            \
        case RCP_UN_ROUND: return round##suffix(x);                                                                    \
        case RCP_UN_ROUNDEVEN: return roundeven##suffix(x);                                                            \
        case RCP_UN_SIN: return sin##suffix(x);                                                                        \
        case RCP_UN_COS: return cos##suffix(x);                                                                        \
        case RCP_UN_TAN: return tan##suffix(x);                                                                        \
        case RCP_UN_EXP: return exp##suffix(x);                                                                        \
        case RCP_UN_EXP2: return exp2##suffix(x);                                                                      \
        case RCP_UN_EXP10: return exp10##suffix(x);                                                                    \
        case RCP_UN_LOG: return log##suffix(x);                                                                        \
        case RCP_UN_LOG2: return log2##suffix(x);                                                                      \
        default: return log10##suffix(x);                                                                              \
        }                                                                                                              \
    }
UNARY_BODY(float, f)
UNARY_BODY(double, )
UNARY_BODY(long double, l)

static bool is_long(rcp_scalar scalar) { return RCP_SCALAR_BITS(scalar) > 64; }

/* As compiler-rt's __powidf2: by squaring, the reciprocal at the end. */
#define POWI_BODY(type, suffix)                                                                                        \
    static type powi##suffix(type x, int32_t n) {                                                                      \
        type r = 1;                                                                                                    \
        for (int32_t m = n;;) {                                                                                        \
            if (m & 1)                                                                                                 \
                r *= x;                                                                                                \
            m /= 2;                                                                                                    \
            if (!m)                                                                                                    \
                break;                                                                                                 \
            x *= x;                                                                                                    \
        }                                                                                                              \
        return n < 0 ? 1 / r : r;                                                                                      \
    }
POWI_BODY(float, f)
POWI_BODY(double, )
POWI_BODY(long double, l)

/* LLVM's classes: signalling and quiet NaN, then negative from infinity to zero, then positive from zero to infinity.
 */
static unsigned class_of(rcp_scalar scalar, const uint64_t *a) {
    long double x = get_long(scalar, a);
    if (isnan(x)) { /* of the formats that have one, the highest bit of the fraction says quiet */
        static const uint8_t fraction[] = {[RCP_SCALAR_HALF] = 10,   [RCP_SCALAR_BFLOAT] = 7, [RCP_SCALAR_FLOAT] = 23,
                                           [RCP_SCALAR_DOUBLE] = 52, [RCP_SCALAR_QUAD] = 112, [RCP_SCALAR_X87] = 63};
        unsigned bit = fraction[RCP_SCALAR_KIND(scalar)] - 1u;
        return a[bit / 64] >> bit % 64 & 1 ? 1 : 0;
    }
    bool negative = signbit(x);
    if (isinf(x))
        return negative ? 2 : 9;
    if (x == 0)
        return negative ? 5 : 6;
    static const int least[] = {[RCP_SCALAR_HALF] = -14,     [RCP_SCALAR_BFLOAT] = -126, [RCP_SCALAR_FLOAT] = -126,
                                [RCP_SCALAR_DOUBLE] = -1022, [RCP_SCALAR_QUAD] = -16382, [RCP_SCALAR_X87] = -16382};
    bool normal = fabsl(x) >= ldexpl(1, least[RCP_SCALAR_KIND(scalar)]);
    return negative ? (normal ? 3 : 4) : (normal ? 8 : 7);
}

void rcp_float_binary(rcp_binary op, rcp_scalar scalar, uint64_t *to, const uint64_t *a, const uint64_t *b) {
    if (op == RCP_BIN_FPCLASS) {
        to[0] = b[0] >> class_of(scalar, a) & 1;
        return;
    }
    bool by_integer = op == RCP_BIN_POWI || op == RCP_BIN_LDEXP;
    int32_t n = (int32_t)b[0];
    if (is_long(scalar)) {
        long double x = get_long(scalar, a);
        put_long(scalar, to,
                 op == RCP_BIN_POWI    ? powil(x, n)
                 : op == RCP_BIN_LDEXP ? ldexpl(x, n)
                                       : binaryl(op, x, get_long(scalar, b)));
    } else if (RCP_SCALAR_KIND(scalar) == RCP_SCALAR_DOUBLE) {
        double x = get_double(a);
        put_double(to, op == RCP_BIN_POWI    ? powi(x, n)
                       : op == RCP_BIN_LDEXP ? ldexp(x, n)
                                             : binary(op, x, get_double(b)));
    } else {
        float x = get_float(scalar, a);
        put_float(scalar, to,
                  op == RCP_BIN_POWI    ? powif(x, n)
                  : op == RCP_BIN_LDEXP ? ldexpf(x, n)
                                        : binaryf(op, x, by_integer ? 0 : get_float(scalar, b)));
    }
}

/* The sign alone changes, whatever else the bits say. */
static void sign(rcp_unary op, rcp_scalar scalar, uint64_t *to, const uint64_t *a) {
    uint32_t bits = RCP_SCALAR_BITS(scalar), last = (bits - 1) / 64;
    uint64_t mask = UINT64_C(1) << (bits - 1) % 64;
    if (bits > 64)
        to[0] = a[0];
    to[last] = op == RCP_UN_FNEG ? a[last] ^ mask : a[last] & ~mask;
}

void rcp_float_unary(rcp_unary op, rcp_scalar scalar, uint64_t *to, const uint64_t *a) {
    if (op == RCP_UN_FNEG || op == RCP_UN_FABS)
        sign(op, scalar, to, a);
    else if (is_long(scalar))
        put_long(scalar, to, unaryl(op, get_long(scalar, a)));
    else if (RCP_SCALAR_KIND(scalar) == RCP_SCALAR_DOUBLE)
        put_double(to, unary(op, get_double(a)));
    else
        put_float(scalar, to, unaryf(op, get_float(scalar, a)));
}

void rcp_scalar_fma(rcp_scalar scalar, uint64_t *to, const uint64_t *a, const uint64_t *b, const uint64_t *c) {
    if (is_long(scalar))
        put_long(scalar, to, fmal(get_long(scalar, a), get_long(scalar, b), get_long(scalar, c)));
    else if (RCP_SCALAR_KIND(scalar) == RCP_SCALAR_DOUBLE)
        put_double(to, fma(get_double(a), get_double(b), get_double(c)));
    else if (RCP_SCALAR_KIND(scalar) == RCP_SCALAR_FLOAT)
        put_float(scalar, to, fmaf(get_float(scalar, a), get_float(scalar, b), get_float(scalar, c)));
    else /* exact, or nearly so, and rounded once */
        put_long(scalar, to, (long double)get_float(scalar, a) * get_float(scalar, b) + get_float(scalar, c));
}

void rcp_scalar_own_nan(rcp_scalar scalar, bool sign_bit, uint64_t *to, const uint64_t *a, const uint64_t *b,
                        const uint64_t *e) {
    if (!isnan(get_long(scalar, to)) || isnan(get_long(scalar, a)) || isnan(get_long(scalar, b)) ||
        isnan(get_long(scalar, e)))
        return;
    sign(RCP_UN_FABS, scalar, to, to);
    if (sign_bit)
        sign(RCP_UN_FNEG, scalar, to, to);
}

bool rcp_float_compare(unsigned predicate, rcp_scalar scalar, const uint64_t *a, const uint64_t *b) {
    long double x = get_long(scalar, a), y = get_long(scalar, b);
    return RCP_FLOAT_COMPARE(predicate, x, y);
}

typedef unsigned __int128 u128;
typedef __int128 s128;

/* The nearest integer that the width has; 0 for what is no number. */
static u128 saturate(long double x, uint32_t bits, bool is_signed) {
    if (isnan(x))
        return 0;
    if (is_signed) {
        long double limit = ldexpl(1, (int)bits - 1);
        u128 top = (u128)1 << (bits - 1);
        return x >= limit ? top - 1 : x <= -limit ? -top : (u128)(s128)x;
    }
    return x >= ldexpl(1, (int)bits) ? ((bits == 128 ? 0 : (u128)1 << bits) - 1) : x <= 0 ? 0 : (u128)x;
}

static void put_integer(uint64_t *row, uint32_t bits, u128 x) {
    x &= bits == 128 ? ~(u128)0 : ((u128)1 << bits) - 1;
    row[0] = (uint64_t)x;
    if (bits > 64)
        row[1] = (uint64_t)(x >> 64);
}

/* From an integer: rounded once, to the type that it goes to. */
static void from_integer(rcp_scalar scalar, uint64_t *to, u128 x, bool is_signed) {
    switch (RCP_SCALAR_KIND(scalar)) {
    case RCP_SCALAR_DOUBLE: put_double(to, is_signed ? (double)(s128)x : (double)x); return;
    case RCP_SCALAR_FLOAT: put_float(scalar, to, is_signed ? (float)(s128)x : (float)x); return;
    default: put_long(scalar, to, is_signed ? (long double)(s128)x : (long double)x);
    }
}

bool rcp_float_fits(rcp_conversion op, rcp_scalar from, rcp_scalar to_scalar, const uint64_t *a) {
    bool is_signed = op == RCP_CONV_FP_TO_SI;
    long double x = truncl(get_long(from, a)), limit = ldexpl(1, (int)RCP_SCALAR_BITS(to_scalar) - is_signed);
    return x < limit && x >= (is_signed ? -limit : 0);
}

void rcp_float_convert(rcp_conversion op, rcp_scalar from, rcp_scalar to_scalar, uint64_t *to, const uint64_t *a) {
    uint32_t bits = RCP_SCALAR_BITS(from), to_bits = RCP_SCALAR_BITS(to_scalar);
    u128 x = RCP_SCALAR_KIND(from) != RCP_SCALAR_INT ? 0 : bits > 64 ? (u128)a[1] << 64 | a[0] : a[0];
    switch (op) {
    case RCP_CONV_SI_TO_FP:
        from_integer(to_scalar, to, (u128)((s128)(x << (128 - bits)) >> (128 - bits)), true);
        return;
    case RCP_CONV_UI_TO_FP: from_integer(to_scalar, to, x, false); return;
    case RCP_CONV_FP_TO_SI: put_integer(to, to_bits, saturate(get_long(from, a), to_bits, true)); return;
    case RCP_CONV_FP_TO_UI: put_integer(to, to_bits, saturate(get_long(from, a), to_bits, false)); return;
    case RCP_CONV_ROUND_TO_SI: put_integer(to, to_bits, saturate(rintl(get_long(from, a)), to_bits, true)); return;
    case RCP_CONV_LROUND: put_integer(to, to_bits, saturate(roundl(get_long(from, a)), to_bits, true)); return;
    default:
        if (RCP_SCALAR_KIND(to_scalar) == RCP_SCALAR_BFLOAT && is_long(from)) {
            put_float(to_scalar, to, (float)get_long(from, a));
            return;
        }
        put_long(to_scalar, to, get_long(from, a));
    }
}
