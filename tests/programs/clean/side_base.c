/* SPDX-License-Identifier: Apache-2.0 */
/* Seed 000, Figure 3's trap: an address that changes is another object's, and its accesses are that one's. */
#include "trap.h"

static int one = 1, two = 2, *chosen = &one;

static void T1(void) {
    ONLY_RACY(one = 4;)
    two = 3;
    pthread_mutex_lock(&m);
    chosen = &two;
    pthread_mutex_unlock(&m);
}

static void T2(void) {
    pthread_mutex_lock(&m);
    int *object = chosen;
    pthread_mutex_unlock(&m);
    printed = *object;
}
