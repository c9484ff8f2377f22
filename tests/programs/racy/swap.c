/* SPDX-License-Identifier: Apache-2.0 */
/* A lock of one's own, by compare-and-swap; one thread forgets it. */
#include "threads.h"

#include <stdatomic.h>

static atomic_int taken;
static int balance = 100;

static void *careful(void *unused) {
    int no = 0;
    while (!atomic_compare_exchange_weak(&taken, &no, 1))
        no = 0;
    balance -= 30;
    atomic_store(&taken, 0);
    return unused;
}

static void *careless(void *unused) {
    balance -= 50;
    return unused;
}

int main(void) {
    run_both(careful, careless);
    printf("%d\n", balance);
    return 0;
}
