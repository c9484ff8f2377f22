/* SPDX-License-Identifier: Apache-2.0 */
/* races: 0 1 1
 * A lock that T2 got when it tried: while T1 has it it does not, and goes on without. */
#include "frame.h"

static void T1(void) {
    pthread_mutex_lock(&n);
    v = 1;
    pthread_mutex_unlock(&n);
}

static void T2(void) {
    if (!pthread_mutex_trylock(&n)) {
        pthread_mutex_unlock(&n);
        return;
    }
    printed = v;
}
