/* SPDX-License-Identifier: Apache-2.0 */
/* record: rr
 * A side that was not taken: an array that no stack has room for. */
#include "trap.h"

static int mode;

static void T1(void) {
    v = 1;
    set(&mode, 1);
}

__attribute__((noinline)) static int use(size_t size) {
    volatile char array[size];
    array[0] = 1;
    array[size - 1] = 2;
    return array[0];
}

static void T2(void) {
    if (get(&mode))
        return;
    volatile size_t size = ONLY_RACY(1 ? 64 :) 1ul << 30;
    set(&printed, use(size));
    printed = v;
}
