/* SPDX-License-Identifier: Apache-2.0 */
/* Attributes of objects that processes may share. */
#include <pthread.h>

static pthread_mutexattr_t m;
static pthread_rwlockattr_t r;
static pthread_condattr_t c;
static pthread_barrierattr_t b;

static void init_kinds(void) {
    pthread_mutexattr_init(&m);
    pthread_rwlockattr_init(&r);
    pthread_condattr_init(&c);
    pthread_barrierattr_init(&b);
    pthread_mutexattr_setpshared(&m, PTHREAD_PROCESS_SHARED);
    pthread_rwlockattr_setpshared(&r, PTHREAD_PROCESS_SHARED);
    pthread_condattr_setpshared(&c, PTHREAD_PROCESS_SHARED);
    pthread_barrierattr_setpshared(&b, PTHREAD_PROCESS_SHARED);
}
