/* SPDX-License-Identifier: Apache-2.0 */
/* Where the reader comes first it waits for ever: a replay of that order ends at its limit. */
#include "threads.h"

static volatile int go;

static void *starter(void *unused) {
    go = 1;
    return unused;
}

static void *runner(void *unused) {
    if (!go)
        for (;;)
            sched_yield();
    return unused;
}

int main(void) {
    run_both(starter, runner);
    puts("done");
    return 0;
}
