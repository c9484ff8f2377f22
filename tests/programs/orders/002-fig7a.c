/* SPDX-License-Identifier: Apache-2.0 */
/* Seed 002, Figure 7(a): as 4(a), but the read of y hangs on the x that T1 wrote. */
/* expect sdp: none */
/* expect wdp: none */
#include "../figures/two.h"
static int x, y;
static void T1(void) {
    y = 1;
    pthread_mutex_lock(&m);
    x = 1;
    pthread_mutex_unlock(&m);
}
static void T2(void) {
    pthread_mutex_lock(&m);
    int ready = x;
    pthread_mutex_unlock(&m);
    if (ready)
        printed = y;
}
