/* SPDX-License-Identifier: Apache-2.0 */
/* localtime() has one buffer for all. The clean twin locks. */
#include "../clean/trap.h"
#include <time.h>

static int hour[2];

static void T1(void) {
#ifndef RACY
    pthread_mutex_lock(&m);
#endif
    time_t when = 1000000;
    hour[0] = localtime(&when)->tm_hour;
#ifndef RACY
    pthread_mutex_unlock(&m);
#endif
}

static void T2(void) {
#ifndef RACY
    pthread_mutex_lock(&m);
#endif
    time_t when = 2000000;
    hour[1] = localtime(&when)->tm_hour;
#ifndef RACY
    pthread_mutex_unlock(&m);
#endif
}
