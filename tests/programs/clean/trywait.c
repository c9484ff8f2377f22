/* SPDX-License-Identifier: Apache-2.0 */
/* Soundness 5, 7: sem_trywait() succeeds only where the count is above 0; two units need two posts. */
#include "trap.h"

#include <semaphore.h>

static sem_t units;

static void T1(void) {
    sem_post(&units);
    v = 1;
    sem_post(&units);
}

static void T2(void) {
    if (!sem_trywait(&units) ONLY_RACY(|| 1))
        if (!sem_trywait(&units))
            printed = v;
}

__attribute__((constructor)) static void make(void) { sem_init(&units, 0, ONLY_RACY(1 +) 0); }
