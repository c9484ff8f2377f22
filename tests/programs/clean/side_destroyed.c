/* SPDX-License-Identifier: Apache-2.0 */
/* record: rr
 * A side that was not taken: past the use of a lock that was destroyed nothing is defined. */
#include "trap.h"

static pthread_mutex_t gone = PTHREAD_MUTEX_INITIALIZER;
static int mode;

static void T1(void) {
    v = 1;
    set(&mode, 1);
}

static void T2(void) {
    pthread_mutex_lock(&gone);
    pthread_mutex_unlock(&gone);
    ONLY_RACY(if (!printed))
    ONLY_RACY(if (printed))
    pthread_mutex_destroy(&gone);
    if (get(&mode))
        return;
    pthread_mutex_lock(&gone);
    pthread_mutex_unlock(&gone);
    printed = v;
}
