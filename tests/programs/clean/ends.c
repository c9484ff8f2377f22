/* SPDX-License-Identifier: Apache-2.0 */
/* Soundness 16: after abort(), exit() and pthread_exit() nothing comes. T2 is past them only after T1. */
#include "trap.h"

#include <assert.h>

static int ready = ONLY_RACY(1 +) 0, again, w;

static void T1(void) {
    v = 1;
    set(&ready, 1);
    w = 1;
    set(&again, 1);
}

static void T2(void) {
    if (!get(&ready))
        pthread_exit(NULL);
    printed = v;
    if (!get(&again))
        exit(0);
    assert(get(&again));
    printed += w;
}
