/* SPDX-License-Identifier: Apache-2.0 */
/* Soundness 1, 14: a machine's own operation, which is recorded with its result, gives that for its operands alone. */
#include "trap.h"

#include <stdint.h>
#if defined __aarch64__
#include <arm_neon.h>
static int look_up(int index) {
    static const uint8_t rows[16] = {3, 1, 4, 1, 5, 9, 2, 6};
    return vgetq_lane_u8(vqtbl1q_u8(vld1q_u8(rows), vdupq_n_u8((uint8_t)index)), 0);
}
#else
#include <emmintrin.h>
static int look_up(int index) {
    return index == 4 ? 5 : _mm_cvtsi128_si32(_mm_madd_epi16(_mm_set1_epi16((short)index), _mm_set1_epi16(3)));
}
#endif

static int place = ONLY_RACY(4 +) 0;

static void T1(void) {
    v = 1;
    set(&place, 4);
}

static void T2(void) {
    int found = look_up(get(&place));
    if (found == 5)
        printed = v;
}
