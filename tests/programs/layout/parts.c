/* SPDX-License-Identifier: Apache-2.0 */
/* Members of a union that share no byte, and such that do. */
#include "../clean/trap.h"

static union {
    int whole;
    char byte[4];
} both;

static void T1(void) {
    ONLY_RACY(both.whole = 7; return;)
    both.byte[0] = 7;
}

static void T2(void) { both.byte[1] = 3; }
