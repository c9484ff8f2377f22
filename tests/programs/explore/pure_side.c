/* SPDX-License-Identifier: Apache-2.0 */
/* races: 0 1 1
 * On the way that was not taken T2 calls functions that nobody recorded there, and whose results are known. */
#include "frame.h"

static int (*volatile first_set)(int) = ffs;
static int (*volatile size_of)(int) = abs;
static int flag, racy;

static void T1(void) {
    set(&flag, 1);
    racy = 1;
}

static void T2(void) {
    pthread_t self = pthread_self();
    if (!get(&flag) && first_set(8) == 4 && size_of(-3) == 3 && pthread_equal(self, pthread_self()))
        racy = 2;
}
