/* SPDX-License-Identifier: Apache-2.0 */
#include "base/clock.h"

#include <time.h>

static double read_clock(clockid_t clock) {
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

double rcp_seconds_now(void) { return read_clock(CLOCK_MONOTONIC); }

double rcp_seconds_used(void) { return read_clock(CLOCK_PROCESS_CPUTIME_ID); }
