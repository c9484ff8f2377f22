/* SPDX-License-Identifier: Apache-2.0 */
/* Seed 001, Figure 2, whose symbolic trace is its Figure 3: the loop is constants, y and x are symbols. y under a lock.
 */
#include "two.h"
static int x, y;
static void T1(void) {
    int s = 0;
    for (int i = 1; i < 3; i++)
        s += i;
    pthread_mutex_lock(&m);
    y = s;
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
        printed = x + 1;
    else
        printed = x + 2;
}
