/* SPDX-License-Identifier: Apache-2.0 */
/* Seed 000, Figure 1, with y under a lock. */
#include "two.h"
static int x, y;
static void T1(void) {
    pthread_mutex_lock(&m);
    y = 3;
    pthread_mutex_unlock(&m);
    x = 1;
    pthread_mutex_lock(&m);
    y = 5;
    pthread_mutex_unlock(&m);
}
static void T2(void) {
    pthread_mutex_lock(&m);
    int seen = y;
    pthread_mutex_unlock(&m);
    if (seen > 2)
        printed = 1 + x;
    else
        printed = 2 + x;
}
