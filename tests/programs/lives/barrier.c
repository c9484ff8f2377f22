/* SPDX-License-Identifier: Apache-2.0 */
/* Who comes back from a barrier may destroy it, though others are on their way out. The twin has waited at none. */
#include "../clean/trap.h"

static pthread_barrier_t gone;
ONLY_RACY(enum { MEMBERS = 1 };)
#ifndef RACY
enum { MEMBERS = 2 };
#endif

__attribute__((constructor)) static void begin(void) { pthread_barrier_init(&gone, NULL, MEMBERS); }

static void T1(void) { pthread_barrier_wait(&gone); }

static void T2(void) {
#ifndef RACY
    pthread_barrier_wait(&gone);
#endif
    pthread_barrier_destroy(&gone);
}
