/* SPDX-License-Identifier: Apache-2.0 */
/* strtok() keeps for itself where it is. The clean twin locks. */
#include "../clean/trap.h"


static char one[] = "a b c", two[] = "d e f";

static void T1(void) {
#ifndef RACY
    pthread_mutex_lock(&m);
#endif
    char *it = strtok(one, " ");
    it = strtok(NULL, " ");
    (void)it;
#ifndef RACY
    pthread_mutex_unlock(&m);
#endif
}

static void T2(void) {
#ifndef RACY
    pthread_mutex_lock(&m);
#endif
    char *it = strtok(two, " ");
    it = strtok(NULL, " ");
    (void)it;
#ifndef RACY
    pthread_mutex_unlock(&m);
#endif
}
