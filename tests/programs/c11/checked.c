/* SPDX-License-Identifier: Apache-2.0 */
/* Double-checked locking. */
// clean: -DLOOK=acquire -DPUT=release
// clean: -DLOOK=seq_cst -DPUT=seq_cst
// racy: 1 -DLOOK=relaxed -DPUT=release
// racy: 1 -DLOOK=acquire -DPUT=relaxed
// racy: 1 -DLOOK=relaxed -DPUT=relaxed
#include "litmus.h"

typedef struct thing {
    int value;
} thing;

static thing only;
static _Atomic(thing *) made;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static thing *get(void) {
    thing *it = LOAD(made, LOOK);
    if (it)
        return it;
    pthread_mutex_lock(&lock);
    it = LOAD(made, relaxed);
    if (!it) {
        only.value = 42;
        it = &only;
        STORE(made, it, PUT);
    }
    pthread_mutex_unlock(&lock);
    return it;
}

static void T1(void) { get(); }

static void T2(void) {
    thing *it = get();
    printf("%d\n", it->value);
}

static void T3(void) {}
