/* SPDX-License-Identifier: Apache-2.0 */
/* record: rr
 * A side that was not taken: a lock that the thread holds already can't be taken again. */
#include "trap.h"

static int mode;

static void T1(void) {
    v = 1;
    set(&mode, 1);
}

static void T2(void) {
    if (get(&mode))
        return;
    pthread_mutex_lock(&m);
    ONLY_RACY(pthread_mutex_unlock(&m);)
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    printed = v;
}
