/* SPDX-License-Identifier: Apache-2.0 */
/* A block with a lock in it is freed by whoever was the last to hold it. In the twin the flag that says so is set before
 * the lock is let go. */
#include "../clean/trap.h"

#include <stdatomic.h>

typedef struct thing {
    pthread_mutex_t lock;
    int left;
} thing;

static thing *shared;
static atomic_int done;

__attribute__((constructor)) static void begin(void) {
    shared = malloc(sizeof *shared);
    pthread_mutex_init(&shared->lock, NULL);
    shared->left = 2;
}

static void leave(thing *t) {
    pthread_mutex_lock(&t->lock);
    int is_last = --t->left == 0;
    ONLY_RACY(atomic_store(&done, 1);)
    pthread_mutex_unlock(&t->lock);
    ONLY_RACY(return;)
    if (is_last)
        free(t);
}

static void T1(void) { leave(shared); }

static void T2(void) {
    ONLY_RACY(if (atomic_load(&done)) free(shared); return;)
    leave(shared);
}
