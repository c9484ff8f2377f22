/* SPDX-License-Identifier: Apache-2.0 */
/* Soundness 5, 7: of a barrier's members one is told that it is the serial one, so only one of them writes v; the next
 * generation comes after it. */
#include "trap.h"

static pthread_barrier_t barrier;

static void meet(void) {
    if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD ONLY_RACY(|| 1))
        v++;
    pthread_barrier_wait(&barrier);
    if (v > 5)
        printed = v;
}

static void T1(void) { meet(); }
static void T2(void) { meet(); }

__attribute__((constructor)) static void make(void) { pthread_barrier_init(&barrier, NULL, 2); }
