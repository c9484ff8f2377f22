/* SPDX-License-Identifier: Apache-2.0 */
/* Threads that begin together, in their order. What is called m_… is left out of the recording (opaque.sh). */
#include <pthread.h>

#define OUTSIDE __attribute__((noinline))

static void run(void *(*const bodies[])(void *), int n) {
    pthread_t threads[8];
    for (int i = 0; i < n; i++)
        pthread_create(&threads[i], 0, bodies[i], 0);
    for (int i = 0; i < n; i++)
        pthread_join(threads[i], 0);
}
