/* SPDX-License-Identifier: Apache-2.0 */
/* races: 0 1 1
 * Locks within the side that was not taken: one race, and one that a lock prevents. */
#include "frame.h"

static int mode, w;

static void T1(void) {
    pthread_mutex_lock(&n);
    w = 1;
    pthread_mutex_unlock(&n);
    v = 1;
    set(&mode, 1);
}

static void T2(void) {
    if (get(&mode))
        return;
    pthread_mutex_lock(&n);
    printed = w;
    printed += v;
    pthread_mutex_unlock(&n);
}
