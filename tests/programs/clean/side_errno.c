/* SPDX-License-Identifier: Apache-2.0 */
/* record: rr
 * A side that was not taken: a semaphore that is empty says so in errno, too. */
#include "trap.h"

#include <errno.h>
#include <semaphore.h>

static sem_t units;
static int mode;

static void T1(void) {
    v = 1;
    set(&mode, 1);
}

static void T2(void) {
    int was = errno;
    for (int i = 0; i < 2; i++) {
        if (i && !get(&mode) ONLY_RACY(&&was))
            sem_trywait(&units);
        if (i && errno == was)
            if (!get(&mode))
                printed = v;
    }
}

__attribute__((constructor)) static void make(void) { sem_init(&units, 0, 0); }
