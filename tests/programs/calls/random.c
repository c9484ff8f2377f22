/* SPDX-License-Identifier: Apache-2.0 */
/* drand48() has one state for all, and no lock. The clean twin locks. */
#define _DEFAULT_SOURCE
#include "../clean/trap.h"


static double number[2];

static void T1(void) {
#ifndef RACY
    pthread_mutex_lock(&m);
#endif
    number[0] = drand48();
#ifndef RACY
    pthread_mutex_unlock(&m);
#endif
}

static void T2(void) {
#ifndef RACY
    pthread_mutex_lock(&m);
#endif
    number[1] = drand48();
#ifndef RACY
    pthread_mutex_unlock(&m);
#endif
}
