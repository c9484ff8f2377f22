/* SPDX-License-Identifier: Apache-2.0 */
/* An atomic is read as a whole, however wide it is, and wherever it lies: half of one value and half of another are no
 * value. Who finds the second one of T1 comes after what T1 did between the two. flags: -latomic */
#include "trap.h"

static _Atomic __int128 wide;
static struct __attribute__((packed, aligned(8))) beside {
    char c[6];
    _Atomic int number; /* over the edge of 8 bytes */
} beside;
static int x, y;

static void T1(void) {
    wide = ((__int128)1 << 64) + 1;
    x = 1;
    wide = (__int128)1 << 64;
    beside.number = 0x10001;
    y = 1;
    beside.number = 0x10000;
    ONLY_RACY(x = 3;)
}

static void T2(void) {
    __int128 now = wide;
    if ((long)now == 0 && (long)(now >> 64) == 1)
        x = 2;
    int number = beside.number;
    if (!(number & 0xffff) && number >> 16 == 1)
        y = 2;
}
