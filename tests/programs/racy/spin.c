/* SPDX-License-Identifier: Apache-2.0 */
/* One spins on an atomic flag under a spin lock's neighbour; what both do afterwards is unordered. */
#include "threads.h"

#include <stdatomic.h>

static pthread_spinlock_t lock;
static atomic_int open_now;
static int guarded, open_sum;

static void *spinner(void *unused) {
    while (!atomic_load(&open_now))
        ;
    pthread_spin_lock(&lock);
    guarded++;
    pthread_spin_unlock(&lock);
    open_sum++;
    return unused;
}

static void *opener(void *unused) {
    pthread_spin_lock(&lock);
    guarded++;
    pthread_spin_unlock(&lock);
    atomic_store(&open_now, 1);
    open_sum++;
    return unused;
}

int main(void) {
    pthread_spin_init(&lock, 0);
    run_both(spinner, opener);
    printf("%d %d\n", guarded, open_sum);
    return 0;
}
