/* SPDX-License-Identifier: Apache-2.0 */
/* races: 0 0 1
 * The same by an index. */
#include "frame.h"

static int objects[4], place = 1;

static void T1(void) {
    objects[1] = 1;
    set(&place, 2);
}

static void T2(void) { printed = objects[get(&place) & 3]; }
