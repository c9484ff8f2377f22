/* SPDX-License-Identifier: Apache-2.0 */
/* volatile orders nothing and races; where it counts as a relaxed atomic (--volatile=atomic, tests/cli/c11.sh) it is no race by
 * itself, and publishes nothing either. A mutex does. */
#include "litmus.h"

static int data;
static volatile int ready;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void T1(void) {
    pthread_mutex_lock(&lock);
    data = 42;
    pthread_mutex_unlock(&lock);
    ready = 1;
}

static void T2(void) {
    if (!ready)
        return;
#ifdef LOCKED
    pthread_mutex_lock(&lock);
#endif
    printf("%d\n", data);
#ifdef LOCKED
    pthread_mutex_unlock(&lock);
#endif
}

static void T3(void) {}
