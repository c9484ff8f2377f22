/* SPDX-License-Identifier: Apache-2.0 */
/* Soundness 5: a trylock fails only while somebody holds the lock. T2 reads v where it failed: then T1, which wrote v
 * before, is within. Sprung: T1 writes v within, too. */
#include "trap.h"

static pthread_mutex_t held = PTHREAD_MUTEX_INITIALIZER;
static int filler;

static void T1(void) {
    v = 1;
    pthread_mutex_lock(&held);
    for (int i = 0; i < 40; i++)
        set(&filler, i);
    ONLY_RACY(v = 2;)
    for (int i = 0; i < 40; i++)
        set(&filler, i);
    pthread_mutex_unlock(&held);
}

static void T2(void) {
    if (pthread_mutex_trylock(&held))
        printed = v;
    else
        pthread_mutex_unlock(&held);
}
