/* SPDX-License-Identifier: Apache-2.0 */
/* A call that writes what was there already changes nothing, and still writes: where T2 goes the other way something
 * else was there. */
#include "trap.h"

#include <math.h>

static int flag;
static volatile double number = 7.9;

static void T1(void) {
    v = 1;
    set(&flag, 1);
}

static void T2(void) {
    int exponent = 77;
    if (get(&flag)) {
        printed++;
        exponent = 3;
    }
    double part = frexp(number, &exponent);
    ONLY_RACY(exponent = 77;)
    if (part > 2 || exponent == 77)
        v = 2;
}
