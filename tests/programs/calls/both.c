/* SPDX-License-Identifier: Apache-2.0 */
/* Both accesses are calls. The clean twin locks.
 * report: both.c:24:15 in T2, thread 0.2 */
#include "../clean/trap.h"


static char from[48] = "from", to[48];
static volatile int size = 48;

static void T1(void) {
#ifndef RACY
    pthread_mutex_lock(&m);
#endif
    memcpy(to, from, (size_t)size);
#ifndef RACY
    pthread_mutex_unlock(&m);
#endif
}

static void T2(void) {
#ifndef RACY
    pthread_mutex_lock(&m);
#endif
    printed = memcmp(to, from, (size_t)size) == 0;
#ifndef RACY
    pthread_mutex_unlock(&m);
#endif
}
