/* SPDX-License-Identifier: Apache-2.0 */
/* A mutex is made before the thread that locks it knows of it; the twin's is made by a thread that nobody waits for. */
#include "../clean/trap.h"

#include <stdatomic.h>

static pthread_mutex_t made;
static atomic_int is_made;

static void T1(void) {
    pthread_mutex_init(&made, NULL);
    ONLY_RACY(return;)
    atomic_store(&is_made, 1);
}

static void T2(void) {
#ifndef RACY
    if (!atomic_load(&is_made))
        return;
#endif
    pthread_mutex_lock(&made);
    pthread_mutex_unlock(&made);
}
