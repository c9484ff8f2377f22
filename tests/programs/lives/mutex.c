/* SPDX-License-Identifier: Apache-2.0 */
/* Who locks a mutex next may destroy it, though the one who unlocked it is on his way out of that call: what was done in
 * the call is before it. The twin is told so within the critical section, and destroys what is about to be unlocked.
 * report: destroy mutex */
#include "../clean/trap.h"

#include <stdatomic.h>

static pthread_mutex_t gone = PTHREAD_MUTEX_INITIALIZER;
static atomic_int done;
static int left = 2;

static void leave(void) {
    pthread_mutex_lock(&gone);
    int is_last = --left == 0;
    ONLY_RACY(atomic_store(&done, 1);)
    pthread_mutex_unlock(&gone);
    ONLY_RACY(return;)
    if (is_last)
        pthread_mutex_destroy(&gone);
}

static void T1(void) { leave(); }

static void T2(void) {
    ONLY_RACY(if (atomic_load(&done)) pthread_mutex_destroy(&gone); return;)
    leave();
}
