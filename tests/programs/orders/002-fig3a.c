/* SPDX-License-Identifier: Apache-2.0 */
/* Seed 002, Figure 3(a): both sections write x, and nobody reads it: sdp does not order them. */
/* expect sdp: y */
/* expect wdp: y */
#include "../figures/two.h"
static int x, y;
static void T1(void) {
    pthread_mutex_lock(&m);
    x = 1;
    y = 1;
    pthread_mutex_unlock(&m);
}
static void T2(void) {
    pthread_mutex_lock(&m);
    x = 2;
    pthread_mutex_unlock(&m);
    printed = y;
}
