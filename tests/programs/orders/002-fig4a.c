/* SPDX-License-Identifier: Apache-2.0 */
/* Seed 002, Figure 4(a): T2 reads the x that T1 wrote, and no branch depends on it. */
/* expect sdp: none */
/* expect wdp: y */
#include "../figures/two.h"
static int x, y, kept;
static void T1(void) {
    y = 1;
    pthread_mutex_lock(&m);
    x = 1;
    pthread_mutex_unlock(&m);
}
static void T2(void) {
    pthread_mutex_lock(&m);
    kept = x;
    pthread_mutex_unlock(&m);
    printed = y;
}
