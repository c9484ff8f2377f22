/* SPDX-License-Identifier: Apache-2.0 */
/* Many counters under a lock that nobody sees, in runs of a second: where time is short, several are watched in one run. */
#include "apart.h"

#include <stdio.h>

static struct {
    _Alignas(64) long counter;
} all[16];

static void *work(void *arg) {
    for (int i = 0; i < 16; i++) {
        apart(&all[i]);
        apart_lock();
        all[i].counter++;
        apart_unlock();
        apart(&all[i]);
    }
    apart_wait(1000);
    return arg;
}

int main(void) {
    run_two(work);
    printf("%d\n", all[0].counter > 0);
    return 0;
}
