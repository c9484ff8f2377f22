/* SPDX-License-Identifier: Apache-2.0 */
/* races: 0 0 1
 * The same by an index. Both elements are within one granule of 8 bytes, so that both are accesses to shared memory. */
#include "frame.h"

static _Alignas(16) int objects[4];
static int place = 2;

static void T1(void) {
    objects[2] = 1;
    set(&place, 3);
}

static void T2(void) { printed = objects[get(&place) & 3]; }
