/* SPDX-License-Identifier: Apache-2.0 */
/* Vectors: arithmetic, compares, shuffles, conversions, lanes by a variable index. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

typedef int v4i __attribute__((vector_size(16)));
typedef unsigned char v16c __attribute__((vector_size(16)));
typedef float v4f __attribute__((vector_size(16)));
typedef double v2d __attribute__((vector_size(16)));
typedef long v2l __attribute__((vector_size(16)));
typedef short v8s __attribute__((vector_size(16)));
typedef int v8i __attribute__((vector_size(32)));

static v4i ints[8];
static v16c bytes[8];
static v4f floats[8];
static v8i wides[4];

__attribute__((noinline)) static uint64_t hash(const void *from, size_t n) {
    uint64_t h = 1469598103934665603u;
    for (size_t i = 0; i < n; i++)
        h = (h ^ ((const unsigned char *)from)[i]) * 1099511628211u;
    return h;
}

__attribute__((noinline)) static v4i mix(v4i a, v4i b, int lane) {
    v4i c = a + b * 3 - (a ^ b);
    c = c << (b & 7) | (a >> 3);
    c[lane & 3] += 5;
    v4i less = a < b;
    c = (c & less) | (b & ~less);
    return __builtin_shufflevector(c, a, 3, 0, 5, 6);
}

int main(void) {
    uint64_t h = 0;
    for (int i = 0; i < 100; i++) {
        ints[i & 7] = mix(ints[(i + 1) & 7] + i, ints[(i + 5) & 7] - (v4i){1, 2, 3, i}, i);
        v16c narrow = (v16c)ints[i & 7];
        bytes[i & 7] = narrow * 3 + bytes[(i + 1) & 7];
        floats[i & 7] = __builtin_convertvector(ints[i & 7], v4f) * 0.5f + floats[(i + 2) & 7] / 3.0f;
        v2d doubles = {floats[i & 7][0], i};
        v2l longs = doubles > (v2d){1, 50};
        v8s shorts = (v8s)bytes[i & 7] + (short)i;
        wides[i & 3] += __builtin_convertvector(shorts, v8i) * i;
        h = h * 31 + (uint64_t)ints[i & 7][i & 3] + bytes[i & 7][i & 15] + (uint64_t)longs[0] + (uint64_t)longs[i & 1];
    }
    h ^= hash(ints, sizeof ints) ^ hash(bytes, sizeof bytes) ^ hash(floats, sizeof floats) ^ hash(wides, sizeof wides);
    printf("%016llx\n", (unsigned long long)h);
    return 0;
}
