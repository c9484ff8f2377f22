/* SPDX-License-Identifier: Apache-2.0 */
/* The slow operations against the host's own arithmetic. */
#include "program/machine/scalars.h"

#include "suite.h"

#include <math.h>
#include <string.h>

typedef unsigned __int128 u128;
typedef __int128 s128;

static uint64_t state = 42;
static uint64_t next(void) {
    state ^= state << 13;
    state ^= state >> 7;
    return state ^= state << 17;
}
static u128 wide(int i) {
    u128 x = (u128)next() << 64 | next();
    return i % 3 ? x >> (next() & 127) : x;
}

static u128 binary(rcp_binary op, uint32_t bits, u128 a, u128 b) {
    uint64_t to[2] = {0}, x[2] = {(uint64_t)a, (uint64_t)(a >> 64)}, y[2] = {(uint64_t)b, (uint64_t)(b >> 64)};
    rcp_scalar_binary(op, RCP_SCALAR(RCP_SCALAR_INT, bits), 0, to, x, y);
    return (u128)to[1] << 64 | to[0];
}

START_TEST(integers_of_128_bits) {
    for (int i = 0; i < 20000; i++) {
        u128 a = wide(i), b = wide(i + 1) | 2;
        unsigned s = (unsigned)(b % 128);
        ck_assert(binary(RCP_BIN_ADD, 128, a, b) == a + b);
        ck_assert(binary(RCP_BIN_MUL, 128, a, b) == a * b);
        ck_assert(binary(RCP_BIN_UDIV, 128, a, b) == a / b);
        ck_assert(binary(RCP_BIN_SREM, 128, a, b) == (u128)((s128)a % (s128)b));
        ck_assert(binary(RCP_BIN_ASHR, 128, a, s) == (u128)((s128)a >> s));
        ck_assert(binary(RCP_BIN_SMIN, 128, a, b) == ((s128)a < (s128)b ? a : b));
    }
    ck_assert(binary(RCP_BIN_SDIV, 128, (u128)1 << 127, -(u128)1) == (u128)1 << 127);
    ck_assert(binary(RCP_BIN_UDIV, 128, 5, 0) == 0);
    ck_assert(binary(RCP_BIN_SREM, 32, 5, 0) == 5);
}
END_TEST

/* Widths that no machine has: as 128 bits, cut. */
START_TEST(odd_widths) {
    for (int i = 0; i < 20000; i++) {
        uint32_t bits = 1 + (uint32_t)(next() % 127);
        u128 mask = ((u128)1 << bits) - 1, a = wide(i) & mask, b = wide(i) & mask;
        ck_assert(binary(RCP_BIN_SUB, bits, a, b) == ((a - b) & mask));
        ck_assert(binary(RCP_BIN_XOR, bits, a, b) == (a ^ b));
        s128 s = (s128)(a << (128 - bits)) >> (128 - bits), t = (s128)(b << (128 - bits)) >> (128 - bits);
        ck_assert(binary(RCP_BIN_SMAX, bits, a, b) == (s > t ? a : b));
        if (t && t != -1)
            ck_assert(binary(RCP_BIN_SDIV, bits, a, b) == ((u128)(s / t) & mask));
        u128 low = (u128)1 << (bits - 1), sum = (u128)s + (u128)t;
        u128 saturated = bits > 120               ? binary(RCP_BIN_SADD_SAT, bits, a, b)
                         : (s128)sum >= (s128)low ? low - 1
                         : (s128)sum < -(s128)low ? low
                                                  : sum & mask;
        ck_assert(binary(RCP_BIN_SADD_SAT, bits, a, b) == saturated);
    }
}
END_TEST

static bool overflow(rcp_overflow op, uint32_t bits, uint64_t a, uint64_t b, uint64_t *result) {
    uint64_t to[2] = {0};
    bool over = rcp_scalar_overflow(op, RCP_SCALAR(RCP_SCALAR_INT, bits), to, &a, &b);
    *result = to[0];
    return over;
}

START_TEST(overflow_is_seen) {
    for (int i = 0; i < 20000; i++) {
        uint64_t a = next() >> (next() & 63), b = next() >> (next() & 63), r;
        int32_t s32;
        uint32_t u32;
        int64_t s64;
        ck_assert(overflow(RCP_OVER_SMUL, 32, (uint32_t)a, (uint32_t)b, &r) ==
                  __builtin_mul_overflow((int32_t)a, (int32_t)b, &s32));
        ck_assert_uint_eq(r, (uint32_t)s32);
        ck_assert(overflow(RCP_OVER_USUB, 32, (uint32_t)a, (uint32_t)b, &r) ==
                  __builtin_sub_overflow((uint32_t)a, (uint32_t)b, &u32));
        ck_assert_uint_eq(r, u32);
        ck_assert(overflow(RCP_OVER_SADD, 64, a, b, &r) == __builtin_add_overflow((int64_t)a, (int64_t)b, &s64));
        ck_assert_uint_eq(r, (uint64_t)s64);
    }
}
END_TEST

/* Every half is a float and comes back; what lies between two goes to the even one. */
START_TEST(halves) {
    const rcp_scalar half = RCP_SCALAR(RCP_SCALAR_HALF, 16), single = RCP_SCALAR(RCP_SCALAR_FLOAT, 32);
    for (uint32_t h = 0; h < 65536; h++) {
        uint64_t from = h, as_float = 0, back = 0;
        rcp_scalar_convert(RCP_CONV_FP, half, single, &as_float, &from);
        rcp_scalar_convert(RCP_CONV_FP, single, half, &back, &as_float);
        bool nan = (h & 0x7c00) == 0x7c00 && h & 0x3ff;
        ck_assert_uint_eq(back, nan ? h | 0x200 : h);
    }
    static const struct {
        float from;
        uint16_t to;
    } rounded[] = {{65519, 0x7bff},
                   {65520, 0x7c00},
                   {1 + 1 / 2048.f, 0x3c00},
                   {1 + 3 / 2048.f, 0x3c02},
                   {0x1p-25f, 0x0000},
                   {0x3p-25f, 2},
                   {0x1p-24f, 1},
                   {-2, 0xc000}};
    for (size_t i = 0; i < sizeof rounded / sizeof *rounded; i++) {
        uint64_t from = 0, to = 0;
        memcpy(&from, &rounded[i].from, sizeof rounded[i].from);
        rcp_scalar_convert(RCP_CONV_FP, single, half, &to, &from);
        ck_assert_uint_eq(to, rounded[i].to);
    }
}
END_TEST

START_TEST(conversions_saturate) {
    static const struct {
        double from;
        uint32_t bits;
        uint64_t as_signed, as_unsigned;
    } cases[] = {{1e30, 32, 0x7fffffff, 0xffffffff},
                 {-1e30, 32, 0x80000000, 0},
                 {NAN, 64, 0, 0},
                 {-1.9, 8, 0xff, 0},
                 {255.9, 8, 0x7f, 255},
                 {-129, 8, 0x80, 0},
                 {1e19, 64, INT64_MAX, 10000000000000000000u},
                 {2e19, 64, INT64_MAX, UINT64_MAX}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint64_t from, to = 0;
        memcpy(&from, &cases[i].from, sizeof from);
        rcp_scalar type = RCP_SCALAR(RCP_SCALAR_INT, cases[i].bits), real = RCP_SCALAR(RCP_SCALAR_DOUBLE, 64);
        rcp_scalar_convert(RCP_CONV_FP_TO_SI, real, type, &to, &from);
        ck_assert_uint_eq(to, cases[i].as_signed);
        rcp_scalar_convert(RCP_CONV_FP_TO_UI, real, type, &to, &from);
        ck_assert_uint_eq(to, cases[i].as_unsigned);
    }
}
END_TEST

int main(void) {
    return rcp_suite_run("scalars", integers_of_128_bits, odd_widths, overflow_is_seen, halves, conversions_saturate,
                         NULL);
}
