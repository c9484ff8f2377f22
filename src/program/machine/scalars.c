/* SPDX-License-Identifier: Apache-2.0 */
/* Integers of any width. Floats are in scalars_float.c. */
#include "program/machine/scalars.h"

#include "program/machine/scalars_float.h"

typedef unsigned __int128 u128;
typedef __int128 s128;

static u128 get(const uint64_t *row, uint32_t bits) { return bits > 64 ? (u128)row[1] << 64 | row[0] : row[0]; }

static u128 mask_of(uint32_t bits) { return bits >= 128 ? ~(u128)0 : ((u128)1 << bits) - 1; }

static void put(uint64_t *row, uint32_t bits, u128 value) {
    value &= mask_of(bits);
    row[0] = (uint64_t)value;
    if (bits > 64)
        row[1] = (uint64_t)(value >> 64);
}

static s128 extend(u128 value, uint32_t bits) { return (s128)(value << (128 - bits)) >> (128 - bits); }

static u128 divide_signed(u128 x, u128 y, uint32_t bits, bool remainder) {
    s128 a = extend(x, bits), b = extend(y, bits);
    if (!b)
        return remainder ? x : 0;
    if (b == -1)
        return remainder ? 0 : -(u128)a;
    return (u128)(remainder ? a % b : a / b);
}

static u128 saturate(rcp_binary op, u128 x, u128 y, uint32_t bits) {
    u128 mask = mask_of(bits), top = (u128)1 << (bits - 1);
    s128 a = extend(x, bits), b = extend(y, bits);
    switch (op) {
    case RCP_BIN_UADD_SAT: return ((x + y) & mask) < x ? mask : x + y;
    case RCP_BIN_USUB_SAT: return x < y ? 0 : x - y;
    case RCP_BIN_SADD_SAT:
    case RCP_BIN_SSUB_SAT: {
        bool sum = op == RCP_BIN_SADD_SAT;
        u128 r = sum ? (u128)a + (u128)b : (u128)a - (u128)b;
        s128 s = extend(r & mask, bits);
        bool over = sum ? (b < 0) == (a < 0) && (s < 0) != (a < 0) : (b < 0) != (a < 0) && (s < 0) != (a < 0);
        return over ? (a < 0 ? top : top - 1) : r;
    }
    case RCP_BIN_USHL_SAT: return y >= bits ? (x ? mask : 0) : ((x << y) & mask) >> y == x ? x << y : mask;
    default: {
        if (y >= bits)
            return !a ? 0 : a < 0 ? top : top - 1;
        s128 r = extend((x << y) & mask, bits);
        return (r >> y) == a ? (u128)r : a < 0 ? top : top - 1;
    }
    }
}

static u128 integer(rcp_binary op, u128 x, u128 y, uint32_t bits) {
    s128 a = extend(x, bits), b = extend(y, bits);
    switch (op) {
    case RCP_BIN_ADD: return x + y;
    case RCP_BIN_SUB: return x - y;
    case RCP_BIN_MUL: return x * y;
    case RCP_BIN_UDIV: return y ? x / y : 0;
    case RCP_BIN_UREM: return y ? x % y : x;
    case RCP_BIN_SDIV: return divide_signed(x, y, bits, false);
    case RCP_BIN_SREM: return divide_signed(x, y, bits, true);
    case RCP_BIN_SHL: return y >= bits ? 0 : x << y;
    case RCP_BIN_LSHR: return y >= bits ? 0 : x >> y;
    case RCP_BIN_ASHR: return (u128)(a >> (y >= bits ? bits - 1 : (unsigned)y));
    case RCP_BIN_AND: return x & y;
    case RCP_BIN_OR: return x | y;
    case RCP_BIN_XOR: return x ^ y;
    case RCP_BIN_NAND: return ~(x & y);
    case RCP_BIN_XCHG: return y;
    case RCP_BIN_UMIN: return x < y ? x : y;
    case RCP_BIN_UMAX: return x > y ? x : y;
    case RCP_BIN_SMIN: return a < b ? x : y;
    case RCP_BIN_SMAX: return a > b ? x : y;
    case RCP_BIN_UINC_WRAP: return x >= y ? 0 : x + 1;
    case RCP_BIN_UDEC_WRAP: return !x || x > y ? y : x - 1;
    case RCP_BIN_UCMP: return (u128)(s128)((x > y) - (x < y));
    case RCP_BIN_SCMP: return (u128)(s128)((a > b) - (a < b));
    default: return saturate(op, x, y, bits);
    }
}

void rcp_scalar_binary(rcp_binary op, rcp_scalar scalar, uint32_t result_bits, uint64_t *to, const uint64_t *a,
                       const uint64_t *b) {
    uint32_t bits = RCP_SCALAR_BITS(scalar);
    if (op >= RCP_BIN_FADD)
        rcp_float_binary(op, scalar, to, a, b);
    else
        put(to, result_bits ? result_bits : bits, integer(op, get(a, bits), get(b, bits), bits));
}

static unsigned leading_zeros(u128 x, uint32_t bits) {
    uint64_t high = (uint64_t)(x >> 64), low = (uint64_t)x;
    unsigned n = high ? (unsigned)__builtin_clzll(high) : low ? 64 + (unsigned)__builtin_clzll(low) : 128;
    return n - (128 - bits);
}

static unsigned trailing_zeros(u128 x, uint32_t bits) {
    uint64_t high = (uint64_t)(x >> 64), low = (uint64_t)x;
    return low ? (unsigned)__builtin_ctzll(low) : high ? 64 + (unsigned)__builtin_ctzll(high) : bits;
}

static u128 reverse(u128 x, uint32_t bits, uint32_t unit) {
    u128 r = 0;
    for (uint32_t i = 0; i < bits; i += unit)
        r |= ((x >> i) & mask_of(unit)) << (bits - unit - i);
    return r;
}

void rcp_scalar_unary(rcp_unary op, rcp_scalar scalar, uint64_t *to, const uint64_t *a) {
    uint32_t bits = RCP_SCALAR_BITS(scalar);
    u128 x = get(a, bits);
    switch (op) {
    case RCP_UN_BSWAP: put(to, bits, reverse(x, bits, 8)); return;
    case RCP_UN_BITREVERSE: put(to, bits, reverse(x, bits, 1)); return;
    case RCP_UN_CTLZ: put(to, bits, leading_zeros(x, bits)); return;
    case RCP_UN_CTTZ: put(to, bits, trailing_zeros(x, bits)); return;
    case RCP_UN_CTPOP:
        put(to, bits, (u128)(__builtin_popcountll((uint64_t)x) + __builtin_popcountll((uint64_t)(x >> 64))));
        return;
    case RCP_UN_ABS: put(to, bits, extend(x, bits) < 0 ? -x : x); return;
    default: rcp_float_unary(op, scalar, to, a);
    }
}

bool rcp_scalar_compare(unsigned predicate, rcp_scalar scalar, const uint64_t *a, const uint64_t *b) {
    if (RCP_SCALAR_KIND(scalar) != RCP_SCALAR_INT)
        return rcp_float_compare(predicate, scalar, a, b);
    uint32_t bits = RCP_SCALAR_BITS(scalar);
    u128 x = get(a, bits), y = get(b, bits);
    s128 s = extend(x, bits), t = extend(y, bits);
    switch (predicate) {
    case LLVMIntEQ: return x == y;
    case LLVMIntNE: return x != y;
    case LLVMIntUGT: return x > y;
    case LLVMIntUGE: return x >= y;
    case LLVMIntULT: return x < y;
    case LLVMIntULE: return x <= y;
    case LLVMIntSGT: return s > t;
    case LLVMIntSGE: return s >= t;
    case LLVMIntSLT: return s < t;
    default: return s <= t;
    }
}

void rcp_scalar_convert(rcp_conversion op, rcp_scalar from, rcp_scalar to_scalar, uint64_t *to, const uint64_t *a) {
    uint32_t bits = RCP_SCALAR_BITS(from);
    if (op > RCP_CONV_SEXT)
        rcp_float_convert(op, from, to_scalar, to, a);
    else
        put(to, RCP_SCALAR_BITS(to_scalar), op == RCP_CONV_SEXT ? (u128)extend(get(a, bits), bits) : get(a, bits));
}

/* By hand: for the builtin clang calls a function that only its own runtime library has. */
static bool multiply(s128 s, s128 t, s128 *q) {
    u128 product;
    bool negative = (s < 0) != (t < 0);
    bool over = __builtin_mul_overflow(s < 0 ? -(u128)s : (u128)s, t < 0 ? -(u128)t : (u128)t, &product);
    *q = (s128)(negative ? -product : product);
    return over || product > ((u128)1 << 127) - !negative;
}

bool rcp_scalar_overflow(rcp_overflow op, rcp_scalar scalar, uint64_t *to, const uint64_t *a, const uint64_t *b) {
    uint32_t bits = RCP_SCALAR_BITS(scalar);
    u128 x = get(a, bits), y = get(b, bits), r = 0;
    s128 s = extend(x, bits), t = extend(y, bits), q = 0;
    bool over;
    switch (op) {
    case RCP_OVER_UADD: over = __builtin_add_overflow(x, y, &r); break;
    case RCP_OVER_USUB: over = __builtin_sub_overflow(x, y, &r); break;
    case RCP_OVER_UMUL: over = __builtin_mul_overflow(x, y, &r); break;
    case RCP_OVER_SADD: over = __builtin_add_overflow(s, t, &q); break;
    case RCP_OVER_SSUB: over = __builtin_sub_overflow(s, t, &q); break;
    default: over = multiply(s, t, &q); break;
    }
    if (op >= RCP_OVER_SADD) {
        put(to, bits, (u128)q);
        return over || q != extend((u128)q & mask_of(bits), bits);
    }
    put(to, bits, r);
    return over || r > mask_of(bits);
}

void rcp_scalar_funnel(bool left, rcp_scalar scalar, uint64_t *to, const uint64_t *a, const uint64_t *b,
                       const uint64_t *by) {
    uint32_t bits = RCP_SCALAR_BITS(scalar);
    u128 x = get(a, bits), y = get(b, bits);
    unsigned n = (unsigned)(get(by, bits) % bits);
    if (!n)
        put(to, bits, left ? x : y);
    else
        put(to, bits, left ? x << n | y >> (bits - n) : x << (bits - n) | y >> n);
}
