/* SPDX-License-Identifier: Apache-2.0 */
/* Long doubles: re-executed where the machine's own are the program's. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>

static long double values[32];

__attribute__((noinline)) static long double mix(long double a, long double b) {
    return (a * b - a / (b + 3)) + sqrtl(fabsl(a)) - floorl(b) + (a < b ? ceill(a) : -b) + fmal(a, b, 1);
}

int main(void) {
    uint64_t h = 0;
    for (int i = 0; i < 32; i++)
        values[i] = (long double)(i * 37 - 500) / 7;
    for (int i = 0; i < 2000; i++) {
        long double x = mix(values[i & 31], values[(i * 7 + 1) & 31]);
        x = isfinite(x) ? fmodl(x, 1000) : i;
        values[i & 31] = x;
        h = h * 31 + (uint64_t)(int64_t)(x * 1e9L) + (uint64_t)(x > 0) + (uint64_t)(float)fabsl(x);
        values[(i + 5) & 31] += (double)x + (long double)(int)x + (long double)(unsigned)i;
        values[(i + 9) & 31] = -values[(i + 9) & 31];
    }
    printf("%016llx\n", (unsigned long long)h);
    return 0;
}
