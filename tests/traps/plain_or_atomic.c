/* SPDX-License-Identifier: Apache-2.0 */
/* Updates are plain as long as there is one thread, and atomic from then on, by a flag that is set before the first one is
 * created: so do the counts of shared_ptr. */
// twin: count
#include <pthread.h>
#include <stdatomic.h>

static _Atomic int count;
static int has_threads;

static void add(void) {
    if (has_threads)
        atomic_fetch_add_explicit(&count, 1, memory_order_relaxed);
    else
        ++*(volatile int *)&count;
}

static void *adds(void *unused) {
    add();
    return unused;
}

int main(void) {
    pthread_t threads[2];
    add();
#ifndef TWIN
    has_threads = 1;
#endif
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, adds, NULL);
    add();
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return count > 4;
}
