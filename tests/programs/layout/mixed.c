/* SPDX-License-Identifier: Apache-2.0 */
/* An atomic byte of a word, and a plain access of the byte beside it; in the twin of the whole word. */
#include "../clean/trap.h"

#include <stdatomic.h>

static union {
    _Atomic unsigned char byte[4];
    unsigned char plain[4];
    unsigned whole;
} both;

static void T1(void) { atomic_store(&both.byte[0], 1); }

static void T2(void) {
    ONLY_RACY(printed = (int)both.whole; return;)
    printed = both.plain[1];
}
