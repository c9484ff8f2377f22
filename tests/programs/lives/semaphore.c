/* SPDX-License-Identifier: Apache-2.0 */
/* Who has taken what was posted may destroy the semaphore, though sem_post() has not returned. The twin posts twice. */
#include "../clean/trap.h"

#include <semaphore.h>

static sem_t gone;

__attribute__((constructor)) static void begin(void) { sem_init(&gone, 0, 0); }

static void T1(void) {
    sem_post(&gone);
    ONLY_RACY(sem_post(&gone);)
}

static void T2(void) {
    sem_wait(&gone);
    sem_destroy(&gone);
}
