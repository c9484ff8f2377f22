/* SPDX-License-Identifier: Apache-2.0 */
/* races: 0 1 1
 * A loop and a recursion on the side that was not taken. */
#include "frame.h"

static int mode, table[8];

static int down(int i) { return i ? 1 + down(i - 1) : 0; }

static void T1(void) {
    v = 1;
    set(&mode, 1);
}

static void T2(void) {
    if (get(&mode))
        return;
    for (int i = 0; i < 8; i++)
        table[i] = down(i);
    printed = table[5] + v;
}
