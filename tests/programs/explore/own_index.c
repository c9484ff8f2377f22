/* SPDX-License-Identifier: Apache-2.0 */
/* races: 0 2 2
 * The element that T2 has in the recorded run nobody else touches, so that its address is in no event, and kept by a
 * branch. It may be each of two others. */
#include "frame.h"

static long values[3];
static int at;

static void T1(void) {
    set(&at, 1);
    values[0] = 7;
    values[1] = 8;
    set(&at, 2);
}

static void T2(void) { values[get(&at)] = 9; }
