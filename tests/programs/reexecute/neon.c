/* SPDX-License-Identifier: Apache-2.0 */
/* aarch64's loads and stores of several vectors at once; elsewhere the same by hand. */
#include <stdint.h>
#include <stdio.h>

static uint8_t bytes[256], other[256];
static uint32_t words[64], more[64];

#ifdef __aarch64__
#include <arm_neon.h>

static void mix(int at) {
    uint8x16x4_t four = vld4q_u8(bytes + at);
    four.val[0] = vaddq_u8(four.val[0], four.val[3]);
    vst4q_u8(other + at, four);
    uint8x8x3_t three = vld3_u8(other + at);
    three.val[1] = veor_u8(three.val[1], three.val[2]);
    vst3_u8(bytes + at + 1, three);
    uint32x4x2_t two = vld2q_u32(words + at / 4);
    two.val[1] = vaddq_u32(two.val[0], two.val[1]);
    vst2q_u32(more + at / 4, two);
    uint32x4x3_t row = vld1q_u32_x3(more + at / 4);
    row.val[2] = vaddq_u32(row.val[2], row.val[0]);
    vst1q_u32_x3(words + at / 4, row);
}
#else
static void mix(int at) {
    for (int i = 0; i < 64; i++)
        other[at + i] = (uint8_t)(bytes[at + i] + (i % 4 == 0 ? bytes[at + i + 3] : 0));
    for (int i = 0; i < 24; i++)
        bytes[at + 1 + i] = (uint8_t)(other[at + i] ^ (i % 3 == 1 ? other[at + i + 1] : 0));
    for (int i = 0; i < 8; i++)
        more[at / 4 + i] = words[at / 4 + i] + (i % 2 ? words[at / 4 + i - 1] : 0);
    for (int i = 0; i < 12; i++)
        words[at / 4 + i] = more[at / 4 + i] + (i >= 8 ? more[at / 4 + i - 8] : 0);
}
#endif

int main(void) {
    for (int i = 0; i < 256; i++) {
        bytes[i] = (uint8_t)(i * 7);
        words[i / 4] += (uint32_t)i * 2654435761u;
    }
    for (int i = 0; i < 180; i++)
        mix(i);
    uint32_t sum = 0;
    for (int i = 0; i < 256; i++)
        sum = sum * 31 + bytes[i] + 3u * other[i] + words[i / 4] + 5 * more[i / 4];
    printf("%u\n", sum);
    return 0;
}
