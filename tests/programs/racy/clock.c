/* SPDX-License-Identifier: Apache-2.0 */
/* The time decides a branch on the way: a replay gets the time that was recorded. */
#include "threads.h"

#include <time.h>

static int even, odd;

static void *ticker(void *unused) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (now.tv_nsec % 2)
        odd++;
    else
        even++;
    return unused;
}

static void *reader(void *unused) {
    printf("%d\n", odd + even);
    return unused;
}

int main(void) {
    run_both(ticker, reader);
    return 0;
}
