/* SPDX-License-Identifier: Apache-2.0 */
/* aarch64's intrinsics that compute with vectors of integers, and those that load and store a lane, on numbers of all
 * kinds: recorded as plain instructions (src/instrument/neon_compute.h), they give what the machine's give. Elsewhere
 * there are none. */
#include <stdint.h>
#include <stdio.h>

static uint64_t hash = 1;
static void mix(const void *at, unsigned size) {
    const uint8_t *bytes = at;
    for (unsigned i = 0; i < size; i++)
        hash = (hash ^ bytes[i]) * UINT64_C(1099511628211);
}

#ifdef __aarch64__
#include <arm_neon.h>

#define MIX(value)                                                                                                     \
    do {                                                                                                               \
        __typeof__(value) result = (value);                                                                            \
        mix(&result, sizeof result);                                                                                   \
    } while (0)
/* OPERATION over all kinds of lanes. */
#define EACH(f, a, b)                                                                                                  \
    MIX(f##_s8(vreinterpret_s8_u64(a), vreinterpret_s8_u64(b)));                                                       \
    MIX(f##_u8(vreinterpret_u8_u64(a), vreinterpret_u8_u64(b)));                                                       \
    MIX(f##_s16(vreinterpret_s16_u64(a), vreinterpret_s16_u64(b)));                                                    \
    MIX(f##_u16(vreinterpret_u16_u64(a), vreinterpret_u16_u64(b)));                                                    \
    MIX(f##_s32(vreinterpret_s32_u64(a), vreinterpret_s32_u64(b)));                                                    \
    MIX(f##_u32(vreinterpret_u32_u64(a), vreinterpret_u32_u64(b)))
#define EACHQ(f, a, b)                                                                                                 \
    MIX(f##_s8(vreinterpretq_s8_u64(a), vreinterpretq_s8_u64(b)));                                                     \
    MIX(f##_u8(vreinterpretq_u8_u64(a), vreinterpretq_u8_u64(b)));                                                     \
    MIX(f##_s16(vreinterpretq_s16_u64(a), vreinterpretq_s16_u64(b)));                                                  \
    MIX(f##_u16(vreinterpretq_u16_u64(a), vreinterpretq_u16_u64(b)));                                                  \
    MIX(f##_s32(vreinterpretq_s32_u64(a), vreinterpretq_s32_u64(b)));                                                  \
    MIX(f##_u32(vreinterpretq_u32_u64(a), vreinterpretq_u32_u64(b)))
#define OF_ONE(f, a)                                                                                                   \
    MIX(f##_s8(vreinterpretq_s8_u64(a)));                                                                              \
    MIX(f##_u8(vreinterpretq_u8_u64(a)));                                                                              \
    MIX(f##_s16(vreinterpretq_s16_u64(a)));                                                                            \
    MIX(f##_u16(vreinterpretq_u16_u64(a)));                                                                            \
    MIX(f##_s32(vreinterpretq_s32_u64(a)));                                                                            \
    MIX(f##_u32(vreinterpretq_u32_u64(a)))
#define NARROWS(f, a, n)                                                                                               \
    MIX(f##_s16(vreinterpretq_s16_u64(a), n));                                                                         \
    MIX(f##_u16(vreinterpretq_u16_u64(a), n));                                                                         \
    MIX(f##_s32(vreinterpretq_s32_u64(a), 2 * (n)));                                                                   \
    MIX(f##_u32(vreinterpretq_u32_u64(a), 2 * (n)));                                                                   \
    MIX(f##_s64(vreinterpretq_s64_u64(a), 4 * (n)));                                                                   \
    MIX(f##_u64(a, 4 * (n)))
#define SHIFTS(n)                                                                                                      \
    NARROWS(vqshrn_n, a, n);                                                                                           \
    NARROWS(vqrshrn_n, a, n);                                                                                          \
    NARROWS(vrshrn_n, a, n);                                                                                           \
    MIX(vqshrun_n_s16(vreinterpretq_s16_u64(a), n));                                                                   \
    MIX(vqshrun_n_s32(vreinterpretq_s32_u64(a), 2 * (n)));                                                             \
    MIX(vqrshrun_n_s16(vreinterpretq_s16_u64(a), n));                                                                  \
    MIX(vqrshrun_n_s64(vreinterpretq_s64_u64(a), 4 * (n)));                                                            \
    MIX(vsriq_n_u8(vreinterpretq_u8_u64(a), vreinterpretq_u8_u64(b), n));                                              \
    MIX(vsriq_n_u16(vreinterpretq_u16_u64(a), vreinterpretq_u16_u64(b), 2 * (n)));                                     \
    MIX(vsriq_n_u64(a, b, 8 * (n)));                                                                                   \
    MIX(vsliq_n_u8(vreinterpretq_u8_u64(a), vreinterpretq_u8_u64(b), (n)-1));                                          \
    MIX(vsliq_n_u32(vreinterpretq_u32_u64(a), vreinterpretq_u32_u64(b), 4 * (n)-1));                                   \
    MIX(vrshrq_n_s8(vreinterpretq_s8_u64(a), n));                                                                      \
    MIX(vrshrq_n_u16(vreinterpretq_u16_u64(a), 2 * (n)));                                                              \
    MIX(vrshrq_n_s32(vreinterpretq_s32_u64(a), 4 * (n)))

static void compute(uint64x2_t a, uint64x2_t b) {
    uint64x1_t c = vget_low_u64(a), d = vget_high_u64(b);
    EACHQ(vqaddq, a, b);
    EACHQ(vqsubq, a, b);
    EACHQ(vmaxq, a, b);
    EACHQ(vminq, a, b);
    EACHQ(vabdq, a, b);
    EACHQ(vhaddq, a, b);
    EACHQ(vrhaddq, a, b);
    EACHQ(vhsubq, a, b);
    EACHQ(vpaddq, a, b);
    EACHQ(vpmaxq, a, b);
    EACHQ(vpminq, a, b);
    EACH(vmull, c, d);
    EACH(vrhadd, c, d);
    EACH(vpadd, c, d);
    MIX(vabsq_s8(vreinterpretq_s8_u64(a)));
    MIX(vabsq_s32(vreinterpretq_s32_u64(a)));
    MIX(vqdmulhq_s16(vreinterpretq_s16_u64(a), vreinterpretq_s16_u64(b)));
    MIX(vqdmulhq_s32(vreinterpretq_s32_u64(a), vreinterpretq_s32_u64(b)));
    MIX(vqrdmulhq_s16(vreinterpretq_s16_u64(a), vreinterpretq_s16_u64(b)));
    MIX(vqrdmulhq_s32(vreinterpretq_s32_u64(a), vreinterpretq_s32_u64(b)));
    MIX(vqdmulhq_lane_s16(vreinterpretq_s16_u64(a), vreinterpret_s16_u64(d), 3));
    MIX(vqrdmulhq_laneq_s16(vreinterpretq_s16_u64(a), vreinterpretq_s16_u64(b), 6));
    MIX(vqdmulh_laneq_s32(vreinterpret_s32_u64(c), vreinterpretq_s32_u64(b), 2));
    OF_ONE(vpaddlq, a);
    OF_ONE(vaddlvq, a);
    OF_ONE(vmaxvq, a);
    OF_ONE(vminvq, a);
    MIX(vqmovn_s16(vreinterpretq_s16_u64(a)));
    MIX(vqmovn_u32(vreinterpretq_u32_u64(a)));
    MIX(vqmovn_s64(vreinterpretq_s64_u64(a)));
    MIX(vqmovn_u64(a));
    MIX(vqmovun_s16(vreinterpretq_s16_u64(a)));
    MIX(vqmovun_s64(vreinterpretq_s64_u64(a)));
    SHIFTS(1);
    SHIFTS(3);
    SHIFTS(7);
    SHIFTS(8);
    MIX(vrshlq_s16(vreinterpretq_s16_u64(a), vdupq_n_s16(-5)));
    MIX(vrshlq_s16(vreinterpretq_s16_u64(a), vdupq_n_s16(4)));
    MIX(vrshlq_u8(vreinterpretq_u8_u64(a), vdupq_n_s8(-8)));
    MIX(vrshlq_s32(vreinterpretq_s32_u64(a), vreinterpretq_s32_u64(b))); /* by numbers that are not known before */
}

static uint8_t bytes[64];
static uint16_t shorts[64];
static void lanes(int at) {
    uint8x8x4_t four = vld4_dup_u8(bytes + at);
    four = vld4_lane_u8(bytes + at + 1, four, 5);
    vst4_lane_u8(bytes + at + 3, four, 4);
    uint16x8x3_t three = vld3q_dup_u16(shorts + at);
    three = vld3q_lane_u16(shorts + at + 2, three, 6);
    vst3q_lane_u16(shorts + at + 3, three, 6);
    uint8x8x2_t two = {{four.val[1], four.val[3]}};
    vst2_lane_u8(bytes + at + 8, two, 2);
    MIX(four);
    MIX(three);
}

int main(void) {
    static const uint64_t special[] = {0, UINT64_MAX, UINT64_C(0x8000800080008000), UINT64_C(0x8080808080808080),
                                       UINT64_C(0x8000000080000000), UINT64_C(1) << 63, UINT64_C(0x7fff7fff7fff7fff),
                                       UINT64_C(0x7f7f7f7f7f7f7f7f), UINT64_C(0x7fffffff7fffffff), UINT64_MAX >> 1};
    enum { SPECIAL = sizeof special / sizeof *special };
    uint64_t words[SPECIAL + 14], x = 7;
    for (unsigned i = 0; i < sizeof words / sizeof *words; i++)
        words[i] = i < SPECIAL ? special[i] : (x = x * UINT64_C(6364136223846793005) + 1442695040888963407) ^ x >> 29;
    for (unsigned i = 0; i < sizeof words / sizeof *words; i++)
        for (unsigned k = 0; k < sizeof words / sizeof *words; k += 3)
            compute(vcombine_u64(vdup_n_u64(words[i]), vdup_n_u64(words[k])),
                    vcombine_u64(vdup_n_u64(words[(i + k) % SPECIAL]), vdup_n_u64(words[(k + 1) % SPECIAL])));
    for (int i = 0; i < 50; i++) {
        bytes[i] = (uint8_t)(i * 37);
        shorts[i] = (uint16_t)(i * 4099);
        lanes(i / 2);
    }
    printf("%llx\n", (unsigned long long)hash);
    return 0;
}
#else
int main(void) {
    mix("none", 4);
    printf("%llx\n", (unsigned long long)hash);
    return 0;
}
#endif
