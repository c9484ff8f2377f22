/* SPDX-License-Identifier: Apache-2.0 */
/* The bits of a NaN are those that the code as written gives, however it is optimised. */
#include <math.h>
#include <stdio.h>
#include <string.h>
static volatile float zero = 0, one = 1;
static float kept[8];
static double doubles[6];
__attribute__((noinline)) static float subtract(float a, float b, float c, float d) { return a - b / c * d; }
__attribute__((noinline)) static float negated(float a, float b) { return -(a * b); }
__attribute__((noinline)) static float times(float a) { return a * -1.0f; }
__attribute__((noinline)) static float plus(float a, float b) { return a + -b; }
__attribute__((noinline)) static double quiet(double a) { return a * 1.0; }
int main(void) {
    float nan = zero / zero;
    kept[0] = subtract(one, zero, zero, one);
    kept[1] = negated(nan, 3);
    kept[2] = negated(2, nan);
    kept[3] = times(nan);
    kept[4] = plus(one, nan);
    kept[5] = plus(nan, one);
    kept[6] = -kept[5] - one;
    kept[7] = times(-nan);
    unsigned long bits = 0x7ff4000000000001ul;
    double signalling;
    memcpy(&signalling, &bits, 8);
    doubles[0] = quiet(signalling);
    doubles[1] = signalling - 0.0;
    doubles[2] = quiet(-signalling);
    doubles[3] = signalling / 1.0;
    doubles[4] = one - (double)NAN;
    doubles[5] = (double)NAN - one;
    int n = 0;
    for (int i = 0; i < 8; i++)
        n += kept[i] != kept[i];
    printf("%d\n", n);
    return 0;
}
