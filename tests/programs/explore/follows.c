/* SPDX-License-Identifier: Apache-2.0 */
/* races: 0 1 1
 * Two branches turn, of two threads: the second because of the first. */
#define THREE
#include "frame.h"

static int one, two;

static void T1(void) {
    v = 1;
    set(&one, 1);
}

static void T2(void) {
    if (!get(&one))
        set(&two, 1);
}

static void T3(void) {
    if (get(&two))
        printed = v;
}
