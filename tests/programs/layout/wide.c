/* SPDX-License-Identifier: Apache-2.0 */
/* An atomic of 128 bits; the twin reads a half of it plainly. flags: -latomic */
#include "../clean/trap.h"

static _Atomic __int128 wide;

static void T1(void) { wide = ((__int128)1 << 64) + 2; }

static void T2(void) {
    ONLY_RACY(printed = (int)((volatile long *)&wide)[1]; return;)
    printed = (int)(wide >> 64);
}
