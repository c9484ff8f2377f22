/* SPDX-License-Identifier: Apache-2.0 */
/* Every width, sign and operator that C has; 128 bits; bit-fields; builtins. */
#include <limits.h>
#include <stdint.h>
#include <stdio.h>

static uint64_t seed = 88172645463325252u;
static uint64_t random64(void) {
    seed ^= seed << 13;
    seed ^= seed >> 7;
    return seed ^= seed << 17;
}

#define EXERCISE(name, type, utype)                                                                                    \
    __attribute__((noinline)) static uint64_t name(type a, type b) {                                                   \
        utype s = (utype)((utype)b % (sizeof(type) * 8));                                                              \
        uint64_t h = (uint64_t)(utype)((utype)a + (utype)b);                                                           \
        h = h * 31 + (uint64_t)(utype)((utype)a - (utype)b);                                                           \
        h = h * 31 + (uint64_t)(utype)((uint64_t)(utype)a * (utype)b);                                                 \
        h = h * 31 + (uint64_t)(utype)(b ? (utype)a / (utype)b : 0);                                                   \
        h = h * 31 + (uint64_t)(utype)(b ? (utype)a % (utype)b : 0);                                                   \
        h = h * 31 + (uint64_t)(utype)(b && b != -1 ? a / b : 1);                                                      \
        h = h * 31 + (uint64_t)(utype)(b && b != -1 ? a % b : 1);                                                      \
        h = h * 31 + (uint64_t)(utype)((utype)a << s) + (uint64_t)((utype)a >> s) + (uint64_t)(utype)(a >> s);         \
        h = h * 31 + (uint64_t)(utype)(a & b) + (uint64_t)(utype)(a | b) + (uint64_t)(utype)(a ^ b);                   \
        h = h * 31 + (a < b) + 2 * (a <= b) + 4 * ((utype)a < (utype)b) + 8 * (a == b) + 16 * ((utype)a >= (utype)b);  \
        type sum;                                                                                                      \
        utype usum;                                                                                                    \
        h = h * 31 + __builtin_add_overflow(a, b, &sum) + (uint64_t)(utype)sum;                                        \
        h = h * 31 + __builtin_sub_overflow(a, b, &sum) + (uint64_t)(utype)sum;                                        \
        h = h * 31 + __builtin_mul_overflow(a, b, &sum) + (uint64_t)(utype)sum;                                        \
        h = h * 31 + __builtin_add_overflow((utype)a, (utype)b, &usum) + (uint64_t)usum;                               \
        h = h * 31 + __builtin_mul_overflow((utype)a, (utype)b, &usum) + (uint64_t)usum;                               \
        return h;                                                                                                      \
    }
EXERCISE(on_8, int8_t, uint8_t)
EXERCISE(on_16, int16_t, uint16_t)
EXERCISE(on_32, int32_t, uint32_t)
EXERCISE(on_64, int64_t, uint64_t)

typedef unsigned __int128 u128;
__attribute__((noinline)) static uint64_t fold(u128 x) { return (uint64_t)(x >> 64) * 31 + (uint64_t)x; }
__attribute__((noinline)) static uint64_t on_128(__int128 a, __int128 b) {
    unsigned s = (unsigned)b % 128;
    uint64_t h = fold((u128)a + (u128)b);
    h = h * 31 + fold((u128)a - (u128)b);
    h = h * 31 + fold((u128)a * (u128)b);
    h = h * 31 + fold(b ? (u128)a / (u128)b : 0);
    h = h * 31 + fold(b ? (u128)a % (u128)b : 0);
    h = h * 31 + fold((u128)(b && b != -1 ? a / b : 1));
    h = h * 31 + fold((u128)a << s) + fold((u128)a >> s) + fold((u128)(a >> s));
    h = h * 31 + (a < b) + 2 * (a == b) + 4 * ((u128)a < (u128)b);
    h = h * 31 + (uint64_t)(int32_t)a + (uint64_t)(__int128)(int32_t)b;
    h = h * 31 + (uint64_t)(int64_t)((double)a / 1e20) + (uint64_t)((double)(u128)b / 1e20);
    return h;
}

struct fields {
    unsigned a : 3;
    int b : 5;
    unsigned long c : 33;
    _Bool d : 1;
};

static u128 wide[8];
static struct fields bits[4];

int main(void) {
    uint64_t h = 0;
    for (int i = 0; i < 300; i++) {
        uint64_t a = random64() >> (i % 60), b = random64() >> (i * 7 % 61);
        h = h * 17 + on_8((int8_t)a, (int8_t)b) + on_16((int16_t)a, (int16_t)b);
        h = h * 17 + on_32((int32_t)a, (int32_t)b) + on_64((int64_t)a, (int64_t)b);
        wide[i & 7] = wide[(i + 3) & 7] * 3 + ((u128)a << 64 | b);
        h = h * 17 + on_128((__int128)wide[i & 7], (__int128)wide[(i + 1) & 7]);
        struct fields *f = &bits[i & 3];
        f->a += (unsigned)a;
        f->b = (int)b;
        f->c ^= a;
        f->d = a & 1;
        h = h * 17 + f->a + (uint64_t)f->b + f->c + f->d;
        h += (uint64_t)__builtin_popcountll(a) + (uint64_t)__builtin_clzll(a | 1) + (uint64_t)__builtin_ctzll(b | 256);
        h += __builtin_bswap64(a) ^ __builtin_bswap32((uint32_t)b) ^ __builtin_bswap16((uint16_t)b);
        h += __builtin_bitreverse32((uint32_t)a) + __builtin_rotateleft64(a, b & 63) +
             __builtin_rotateright32((uint32_t)b, a & 31);
    }
    printf("%016llx\n", (unsigned long long)h);
    return 0;
}
