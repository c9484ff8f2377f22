/* SPDX-License-Identifier: Apache-2.0 */
/* Deadlines as the program gives them (a clock and a time on it) and as the baton takes them (CLOCK_MONOTONIC, ns;
 * clock.h).
 *
 * A deadline on the wall clock is carried over once, when the wait begins: who sets the clock meanwhile is not
 * followed.
 */
#ifndef RECIPE_RUNTIME_DEADLINE_H
#define RECIPE_RUNTIME_DEADLINE_H

#include "runtime/clock.h"
#include "runtime/sys.h"

#include <errno.h>

static inline bool rcp_deadline_is_clock(clockid_t clock) {
    return clock == CLOCK_REALTIME || clock == CLOCK_MONOTONIC;
}

static inline bool rcp_deadline_is_time(const struct timespec *time) {
    return time->tv_nsec >= 0 && time->tv_nsec < 1000000000;
}

/* The clock and the time are valid. What lies beyond 292 years is never. */
static inline uint64_t rcp_deadline_of(clockid_t clock, const struct timespec *time) {
    if (time->tv_sec < 0)
        return 0;
    int64_t at;
    if (__builtin_mul_overflow((int64_t)time->tv_sec, 1000000000, &at) ||
        __builtin_add_overflow(at, time->tv_nsec, &at))
        return RCP_NO_DEADLINE;
    if (clock != CLOCK_MONOTONIC)
        at += rcp_clock_now(CLOCK_MONOTONIC) - rcp_clock_now(clock); /* the first is the smaller one */
    return at < 0 ? 0 : (uint64_t)at;
}

static inline uint64_t rcp_deadline_in(const struct timespec *span) {
    int64_t ns;
    if (__builtin_mul_overflow((int64_t)span->tv_sec, 1000000000, &ns) ||
        __builtin_add_overflow(ns, span->tv_nsec, &ns) ||
        __builtin_add_overflow(ns, rcp_clock_now(CLOCK_MONOTONIC), &ns))
        return RCP_NO_DEADLINE;
    return ns < 0 ? 0 : (uint64_t)ns;
}

/* The other way round, for a call that really waits. */
static inline struct timespec rcp_deadline_on_wall_clock(uint64_t deadline) {
    return rcp_clock_time(rcp_clock_real(deadline, CLOCK_REALTIME));
}

#endif
