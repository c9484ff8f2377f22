/* SPDX-License-Identifier: Apache-2.0 */
/* Many counters under a lock that nobody sees, in runs of a second: where time is short, several are watched in one run. */
#include "apart.h"

#include <stdio.h>

static struct {
    _Alignas(64) long counter;
} all[16];

/* Each at a place of its own in the code: of one place only a few instances are watched. */
#define COUNT(i) \
    do { \
        apart(&all[i]); \
        apart_lock(); \
        all[i].counter++; \
        apart_unlock(); \
        apart(&all[i]); \
    } while (0)

static void *work(void *arg) {
    COUNT(0);
    COUNT(1);
    COUNT(2);
    COUNT(3);
    COUNT(4);
    COUNT(5);
    COUNT(6);
    COUNT(7);
    COUNT(8);
    COUNT(9);
    COUNT(10);
    COUNT(11);
    COUNT(12);
    COUNT(13);
    COUNT(14);
    COUNT(15);
    apart_wait(1000);
    return arg;
}

int main(void) {
    run_two(work);
    printf("%d\n", all[0].counter > 0);
    return 0;
}
