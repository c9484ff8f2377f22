/* SPDX-License-Identifier: Apache-2.0 */
/* sscanf() writes what it has read. The clean twin locks. */
#include "../clean/trap.h"


static int number;

static void T1(void) {
#ifndef RACY
    pthread_mutex_lock(&m);
#endif
    printed = number;
#ifndef RACY
    pthread_mutex_unlock(&m);
#endif
}

static void T2(void) {
#ifndef RACY
    pthread_mutex_lock(&m);
#endif
    if (sscanf("17", "%d", &number) != 1)
        abort();
#ifndef RACY
    pthread_mutex_unlock(&m);
#endif
}
