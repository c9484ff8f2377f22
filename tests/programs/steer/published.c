/* SPDX-License-Identifier: Apache-2.0 */
/* What one thread has published while the other one was held, that one reads. In the recorded run it comes too early for that. The
 * twin's meet without the lock. Where it is weak, what is published orders nothing. */
#include "apart.h"

#include <stdatomic.h>
#include <stdio.h>

#ifdef WEAK
#define RELEASE memory_order_relaxed
#else
#define RELEASE memory_order_release
#endif

static int shared[128], data;
static atomic_int ready, begun;

static void *read_it(void *arg) {
    apart(shared);
    enter();
    shared[0]++;
    leave();
    if (atomic_load_explicit(&ready, memory_order_acquire))
        printf("%d\n", data);
    enter();
    shared[64]++;
    leave();
    apart(shared);
    return arg;
}

static void *publish(void *arg) {
    apart(shared);
    data = 42;
    atomic_store_explicit(&ready, 1, RELEASE);
    enter();
    shared[64]++;
    leave();
    enter();
    shared[0]++;
    leave();
    apart(shared);
    return arg;
}

static void *work(void *arg) { return atomic_fetch_add(&begun, 1) ? publish(arg) : read_it(arg); }

int main(void) {
    run_two(work);
    return 0;
}
