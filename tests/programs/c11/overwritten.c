/* SPDX-License-Identifier: Apache-2.0 */
/* Two writes: the first is published too weakly, so that by the standard it may come after the second. A store comes late where
 * what published it does not release, and before its thread unlocks. What is left is printed when all threads have been joined. */
// clean: -DW=release -DR=acquire
// late: 1 -DW=relaxed -DR=relaxed
// late: 1 -DW=relaxed -DR=acquire
// late: 1 -DW=relaxed -DR=relaxed -DLOCKED
// hidden: 1 -DW=release -DR=relaxed
#include "litmus.h"

static int data;
static atomic_int ready;
#ifdef LOCKED
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
#endif

static void T1(void) {
#ifdef LOCKED
    pthread_mutex_lock(&lock);
#endif
    data = 1;
    STORE(ready, 1, W);
#ifdef LOCKED
    pthread_mutex_unlock(&lock);
#endif
}

static void T2(void) {
    if (LOAD(ready, R))
        data = 2;
}

static void T3(void) {}

__attribute__((destructor)) static void show(void) { printf("%d\n", data); }
