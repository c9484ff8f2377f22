/* SPDX-License-Identifier: Apache-2.0 */
/* Seed 002, Figure 7(b): as 7(a), but the branch depends on another read than that of x. */
/* expect sdp: none */
/* expect wdp: y */
#include "../figures/two.h"
static int x, y, kept, decides = 1;
static void T1(void) {
    y = 1;
    pthread_mutex_lock(&m);
    x = 1;
    pthread_mutex_unlock(&m);
}
static void T2(void) {
    pthread_mutex_lock(&m);
    kept = x;
    int is = *(volatile int *)&decides;
    pthread_mutex_unlock(&m);
    if (is)
        printed = y;
}
