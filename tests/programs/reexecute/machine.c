/* SPDX-License-Identifier: Apache-2.0 */
/* Instructions of the machine's own: what re-execution does not compute itself is in the log. Classes of floats. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static uint8_t bytes[64], other[64];
static double numbers[] = {0, -0.0, 1, -1e-310, 1e300, INFINITY, -INFINITY, NAN};

#ifdef __aarch64__
#include <arm_neon.h>
__attribute__((noinline)) static uint64_t turn(int i) {
    uint8x16_t a = vld1q_u8(bytes + (i & 31)), b = vld1q_u8(bytes + 16);
    uint8x16x2_t pair = vld2q_u8(bytes);
    uint8x16_t looked = vqtbl1q_u8(a, vandq_u8(b, vdupq_n_u8(31)));
    uint8x16x2_t mixed = {{vqaddq_u8(pair.val[0], looked), vabdq_u8(pair.val[1], a)}};
    vst2q_u8(other, mixed);
    return vaddlvq_u8(looked) + vmaxvq_u8(a) + vgetq_lane_u64(vreinterpretq_u64_u8(vrbitq_u8(b)), 1);
}
#else
#include <emmintrin.h>
__attribute__((noinline)) static uint64_t turn(int i) {
    __m128i a = _mm_loadu_si128((const __m128i *)(bytes + (i & 31))),
            b = _mm_loadu_si128((const __m128i *)(bytes + 16));
    _mm_storeu_si128((__m128i *)other, _mm_adds_epu8(a, _mm_avg_epu8(a, b)));
    _mm_storeu_si128((__m128i *)(other + 16), _mm_madd_epi16(a, b));
    return (uint64_t)_mm_cvtsi128_si64(_mm_sad_epu8(a, b)) + (uint64_t)_mm_movemask_epi8(_mm_cmpgt_epi8(a, b));
}
#endif

__attribute__((noinline)) static unsigned class_of(double x) {
    return (unsigned)__builtin_isnan(x) | (unsigned)__builtin_isinf_sign(x) << 1 |
           (unsigned)__builtin_isnormal(x) << 3 | (unsigned)__builtin_isfinite(x) << 4 |
           (unsigned)__builtin_issubnormal(x) << 5 | (unsigned)__builtin_iszero(x) << 6 |
           (unsigned)__builtin_issignaling(x) << 7;
}

int main(void) {
    uint64_t h = 0;
    for (int i = 0; i < 64; i++)
        bytes[i] = (uint8_t)(i * 37);
    for (int i = 0; i < 200; i++) {
        h = h * 31 + turn(i);
        for (int k = 0; k < 32; k++)
            h = h * 3 + other[k];
        bytes[i & 63] ^= (uint8_t)h;
        h = h * 31 + class_of(numbers[i & 7]);
        h +=
            __builtin_align_down((uintptr_t)h, 16) + (uintptr_t)__builtin_align_up((char *)(uintptr_t)(h & 0xffff), 64);
        volatile float f = (float)numbers[i & 7];
        h += (unsigned)__builtin_isnormal(f);
    }
    printf("%016llx\n", (unsigned long long)h);
    return 0;
}
