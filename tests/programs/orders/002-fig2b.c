/* SPDX-License-Identifier: Apache-2.0 */
/* Seed 002, Figure 2(b): T1 reads x, and nothing depends on it: the two sections may change places. */
/* expect sdp: none */
/* expect wdp: y */
#include "../figures/two.h"
static int x, y, kept;
static void T1(void) {
    pthread_mutex_lock(&m);
    kept = x;
    y = 1;
    pthread_mutex_unlock(&m);
}
static void T2(void) {
    pthread_mutex_lock(&m);
    x = 1;
    pthread_mutex_unlock(&m);
    printed = y;
}
