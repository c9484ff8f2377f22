/* SPDX-License-Identifier: Apache-2.0 */
/* races: 0 1 1
 * A branch that follows from another: both are of one value. */
#include "frame.h"

static int mode;

static void T1(void) {
    v = 1;
    set(&mode, 1);
}

static void T2(void) {
    int locks = get(&mode);
    if (locks)
        pthread_mutex_lock(&n);
    printed = locks ? 7 : v;
    if (locks)
        pthread_mutex_unlock(&n);
}
