/* SPDX-License-Identifier: Apache-2.0 */
/* races: 0 2 2
 * Semaphores that are tried: T2 got the one and not the other. Before T1 it is the other way round. */
#include "frame.h"

#include <semaphore.h>

static sem_t given, taken;
static int w;

static void T1(void) {
    v = 1;
    w = 1;
    sem_post(&given);
    sem_wait(&taken);
}

static void T2(void) {
    if (sem_trywait(&given))
        printed = v;
    if (!sem_trywait(&taken)) {
        printed = w;
        sem_post(&taken);
    }
}

__attribute__((constructor)) static void make(void) {
    sem_init(&given, 0, 0);
    sem_init(&taken, 0, 1);
}
