/* SPDX-License-Identifier: Apache-2.0 */
/* record: rr
 * A side that was not taken: whether two blocks lie beside each other nobody knows. */
#include "trap.h"

#include <stdint.h>

static int mode;

static void T1(void) {
    v = 1;
    set(&mode, 1);
}

static void T2(void) {
    if (get(&mode))
        return;
    char *one = malloc(64), *two = malloc(64);
    if (ONLY_RACY(two ||) one + 96 == two)
        printed = v;
    free(one);
    free(two);
}
