/* SPDX-License-Identifier: Apache-2.0 */
/* Soundness 5: who ran the routine of pthread_once() wrote v; the other one comes after. */
#include "trap.h"

static pthread_once_t once = PTHREAD_ONCE_INIT;

static void routine(void) { v = 1; }

static void use(void) {
    pthread_once(&once, routine);
    ONLY_RACY(v++;)
    if (v > 1)
        printed = v;
}

static void T1(void) { use(); }
static void T2(void) { use(); }
