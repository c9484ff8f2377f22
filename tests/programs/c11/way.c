/* SPDX-License-Identifier: Apache-2.0 */
/* What publishes data is too weak; in the recorded order a lock comes to its help. In another order of the same events, the
 * witness of a race on y, T2 has had the lock before, and nothing orders the two accesses of data. */
// along: 1 -DW=relaxed -DR=relaxed
// along: 1 -DW=relaxed -DR=acquire
// along: 0 -DW=release -DR=acquire
#include "litmus.h"

static int data, y, own[2];
static atomic_int ready;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void T1(void) {
    data = 42;
    STORE(ready, 1, W);
    pthread_mutex_lock(&lock);
    own[0]++;
    y = 1;
    pthread_mutex_unlock(&lock);
}

static void T2(void) {
    pthread_mutex_lock(&lock);
    own[1]++;
    pthread_mutex_unlock(&lock);
    if (LOAD(ready, R))
        printf("%d\n", data);
    y = 2;
}

static void T3(void) {}
