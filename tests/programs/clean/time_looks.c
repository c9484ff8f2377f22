/* SPDX-License-Identifier: Apache-2.0 */
/* Each looks at the clock, T1 after it has written v and before it says so, T2 before it asks. Sprung, T2 does not ask:
 * who looks second need not wait for the first one's look (record: rr). */
#include "trap.h"

#include <time.h>

static int ended;

static int now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int)t.tv_sec | 1;
}

static void T1(void) {
    v = 1;
    set(&ended, now());
}

static void T2(void) {
    int began = now();
    if (get(&ended) ONLY_RACY(|| began))
        printed = v;
}
