/* SPDX-License-Identifier: Apache-2.0 */
/* As made.c, of a mutex that is made by an assignment. */
#include "../clean/trap.h"

#include <stdatomic.h>

static pthread_mutex_t made;
static atomic_int is_made;

static void T1(void) {
    made = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
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
