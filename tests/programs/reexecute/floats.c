/* SPDX-License-Identifier: Apache-2.0 */
/* Floats, doubles, half precision, complex numbers; conversions at the edges of their ranges. */
#include <complex.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static double values[] = {0,       -0.0,     1,      -1,           0.5,   1.5,        2.5,    1e10,
                          -1e10,   1e300,    1e-300, 4294967296.0, -2e9,  3e9,        9.3e18, 2e19,
                          -9.3e18, INFINITY, 1e-40,  65504,        65520, 3.14159265, 255.5,  -129};
enum { N = sizeof values / sizeof *values };
static float singles[N];
static _Float16 halves[N];

static uint64_t bits(double x) {
    uint64_t u;
    memcpy(&u, &x, sizeof u);
    return x != x ? 0x7ff8 : u;
}

__attribute__((noinline)) static uint64_t arithmetic(double a, double b) {
    float f = (float)a, g = (float)b;
    uint64_t h = bits(a + b) ^ bits(a - b) * 3 ^ bits(a * b) * 5 ^ bits(a / b) * 7;
    h = h * 31 + bits(f + g) + bits(f * g) * 3 + bits(f / g) + bits(-f);
    h = h * 31 + (a < b) + 2 * (a <= b) + 4 * (a == b) + 8 * (a != b) + 16 * !(a > b) + 32 * (f >= g);
    h = h * 31 + bits(fabs(a)) + bits(sqrt(fabs(b))) + bits(floor(a)) + bits(ceil(b)) + bits(trunc(a)) + bits(rint(a));
    h = h * 31 + bits(fmin(a, b)) + bits(fmax(a, b)) + bits(copysign(a, b)) + bits(fma(a, b, 1)) + bits(round(a));
    h = h * 31 + bits(a * b + 1) + bits(fmod(a, b));
    return h;
}

/* Only what C defines: the recorded program does as the machine does elsewhere, a native one as its optimiser likes. */
__attribute__((noinline)) static uint64_t convert(double a) {
    uint64_t h = bits((double)(float)a);
    if (a > -100 && a < 100)
        h = h * 31 + (uint64_t)(signed char)a + bits((float)(int)a);
    if (a >= 0 && a < 60000)
        h = h * 31 + (uint64_t)(unsigned short)a + (uint64_t)(unsigned)a;
    if (a > -2e9 && a < 2e9)
        h = h * 31 + (uint64_t)(int)a + (uint64_t)(int)((float)a / 2);
    if (a > -9e18 && a < 9e18)
        h = h * 31 + (uint64_t)(long)a + bits((double)(long)a);
    if (a >= 0 && a < 1.8e19)
        h = h * 31 + (uint64_t)a + bits((double)(uint64_t)a) + (uint64_t)(float)(a / 2);
    return h;
}

int main(void) {
    uint64_t h = 0;
    for (int i = 0; i < N; i++) {
        singles[i] = (float)values[i];
        halves[i] = (_Float16)values[i];
    }
    for (int i = 0; i < N; i++)
        for (int k = 0; k < N; k++) {
            h = h * 17 + arithmetic(values[i], values[k]) + convert(values[i] + values[k]);
            _Float16 half = (_Float16)(halves[i] * (_Float16)0.5 + halves[k] / (_Float16)4);
            halves[k] = half == half ? half : 1; /* the sign of a NaN is the machine's */
            h = h * 17 + bits((double)halves[k]) + (halves[k] > halves[i]);
            singles[k] = singles[i] * 0.5f + (float)k;
            double complex z = (values[i] + I) * (1 - values[k] * I);
            h = h * 17 + bits(creal(z)) + bits(cimag(z)) + bits(singles[k]);
        }
    printf("%016llx\n", (unsigned long long)h);
    return 0;
}
