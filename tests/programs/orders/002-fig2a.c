/* SPDX-License-Identifier: Apache-2.0 */
/* Seed 002, Figure 2(a): T1 writes y only because of the x that it read, so T2's section can't come first. */
/* expect sdp: none */
/* expect wdp: none */
#include "../figures/two.h"
static int x, y;
static void T1(void) {
    pthread_mutex_lock(&m);
    if (x == 0)
        y = 1;
    pthread_mutex_unlock(&m);
}
static void T2(void) {
    pthread_mutex_lock(&m);
    x = 1;
    pthread_mutex_unlock(&m);
    printed = y;
}
