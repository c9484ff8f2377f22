/* SPDX-License-Identifier: Apache-2.0 */
/* races: 0 1 1
 * A lock that T2 did not get when it tried: before T1 has taken it it does. */
#include "frame.h"

static void T1(void) {
    v = 1;
    pthread_mutex_lock(&n);
}

static void T2(void) {
    if (pthread_mutex_trylock(&n))
        return;
    printed = v;
    pthread_mutex_unlock(&n);
}
