/* SPDX-License-Identifier: Apache-2.0 */
/* What time it is, and how much was used of it: calls that ask. clock.h has what they are told in a replay. */
#include "runtime/answers.h"
#include "runtime/block.h"
#include "runtime/clock.h"

#include <errno.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/timeb.h>
#include <sys/times.h>
#include <time.h>
#include <unistd.h>

RCP_REAL_DEFINE(time)
RCP_REAL_DEFINE(clock)
RCP_REAL_DEFINE(gettimeofday)
RCP_REAL_DEFINE(clock_gettime)
RCP_REAL_DEFINE(timespec_get)
RCP_REAL_DEFINE(times)
RCP_REAL_DEFINE(getrusage)

#define SECOND INT64_C(1000000000)

/* What a clock shows in a run that is fed, as the call then wrote it. False: the system is asked. */
static bool ask(rcp_thread *self, clockid_t clock, const int64_t *recorded, int64_t *ns) {
    return rcp_clock_is_fed() && rcp_clock_answer(self, clock, recorded, ns);
}

static int64_t ns_of(struct timeval time) { return time.tv_sec * SECOND + time.tv_usec * 1000; }

/* The end of a call that has filled `at`, or failed. */
static int leave(rcp_thread *self, const void *at, size_t size, int result, int error) {
    if (!result)
        rcp_effect(at, size);
    rcp_outside(self);
    errno = error;
    return result;
}

RCP_INTERCEPT int clock_gettime(clockid_t clock, struct timespec *at) {
    rcp_thread *self = rcp_inside();
    struct timespec then;
    int64_t ns, recorded;
    int error = errno, result = 0;
    if (!self)
        return RCP_REAL(clock_gettime)(clock, at);
    bool known = rcp_answer_bytes(self, &then, sizeof then);
    if (known)
        recorded = rcp_clock_ns(&then);
    if (ask(self, clock, known ? &recorded : NULL, &ns)) {
        *at = rcp_clock_time(ns);
    } else {
        result = RCP_REAL(clock_gettime)(clock, at);
        error = errno;
    }
    return leave(self, at, sizeof *at, result, error);
}

RCP_INTERCEPT int gettimeofday(struct timeval *restrict at, void *restrict zone) {
    rcp_thread *self = rcp_inside();
    struct timeval then;
    int64_t ns, recorded;
    int error = errno, result = 0;
    if (!self)
        return RCP_REAL(gettimeofday)(at, zone);
    bool known = rcp_answer_bytes(self, &then, sizeof then);
    if (known)
        recorded = ns_of(then);
    if (ask(self, CLOCK_REALTIME, known ? &recorded : NULL, &ns)) {
        *at = (struct timeval){ns / SECOND, ns % SECOND / 1000};
    } else {
        result = RCP_REAL(gettimeofday)(at, zone);
        error = errno;
    }
    return leave(self, at, sizeof *at, result, error);
}

RCP_INTERCEPT int timespec_get(struct timespec *at, int base) {
    if (base != TIME_UTC)
        return RCP_REAL(timespec_get)(at, base);
    return clock_gettime(CLOCK_REALTIME, at) ? 0 : base;
}

RCP_INTERCEPT time_t time(time_t *at) {
    rcp_thread *self = rcp_inside();
    if (!self)
        return RCP_REAL(time)(at);
    uint64_t word;
    int64_t ns, recorded;
    bool known = rcp_answer_result(self, &word);
    if (known)
        recorded = (int64_t)word * SECOND;
    time_t result =
        ask(self, CLOCK_REALTIME_COARSE, known ? &recorded : NULL, &ns) ? (time_t)(ns / SECOND) : RCP_REAL(time)(NULL);
    if (at) {
        *at = result;
        rcp_effect(at, sizeof *at);
    }
    rcp_outside(self);
    return result;
}

RCP_INTERCEPT clock_t clock(void) {
    rcp_thread *self = rcp_inside();
    if (!self)
        return RCP_REAL(clock)();
    uint64_t word;
    int64_t ns, recorded;
    bool known = rcp_answer_result(self, &word);
    if (known)
        recorded = (int64_t)word * (SECOND / CLOCKS_PER_SEC);
    clock_t result = ask(self, CLOCK_PROCESS_CPUTIME_ID, known ? &recorded : NULL, &ns)
                         ? (clock_t)(ns / (SECOND / CLOCKS_PER_SEC))
                         : RCP_REAL(clock)();
    rcp_outside(self);
    return result;
}

/* CPU time in two parts. Of the recorded ones it is known that they were possible; their sum must be, too. */
static void ask_usage(rcp_thread *self, clockid_t clock, int64_t *user, int64_t *system, bool known) {
    int64_t sum = *user + *system, shown;
    if (ask(self, clock, known ? &sum : NULL, &shown))
        *user = shown - *system > 0 ? shown - *system : 0;
}

RCP_INTERCEPT clock_t times(struct tms *used) {
    rcp_thread *self = rcp_inside();
    struct tms then;
    if (!self)
        return RCP_REAL(times)(used);
    int64_t tick = SECOND / sysconf(_SC_CLK_TCK), ns;
    bool known = used && rcp_answer_bytes(self, &then, sizeof then);
    clock_t result = RCP_REAL(times)(used);
    int error = errno;
    if (result != -1 && ask(self, CLOCK_BOOTTIME, NULL, &ns))
        result = (clock_t)(ns / tick);
    if (result != -1 && used) {
        if (known)
            *used = then;
        int64_t user = used->tms_utime * tick, system = used->tms_stime * tick;
        ask_usage(self, CLOCK_PROCESS_CPUTIME_ID, &user, &system, known);
        if (rcp_clock_is_fed())
            used->tms_utime = user / tick;
        rcp_effect(used, sizeof *used);
    }
    rcp_outside(self);
    errno = error;
    return result;
}

RCP_INTERCEPT int getrusage(__rusage_who_t who, struct rusage *usage) {
    rcp_thread *self = rcp_inside();
    struct rusage then;
    if (!self)
        return RCP_REAL(getrusage)(who, usage);
    bool known = rcp_answer_bytes(self, &then, sizeof then);
    int result = RCP_REAL(getrusage)(who, usage), error = errno;
    if (!result) {
        if (known)
            *usage = then;
        if (who != RUSAGE_CHILDREN && rcp_clock_is_fed()) {
            int64_t user = ns_of(usage->ru_utime), system = ns_of(usage->ru_stime);
            ask_usage(self, who == RUSAGE_SELF ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_THREAD_CPUTIME_ID, &user, &system,
                      known);
            usage->ru_utime = (struct timeval){user / SECOND, user % SECOND / 1000};
        }
        rcp_effect(usage, sizeof *usage);
    }
    rcp_outside(self);
    errno = error;
    return result;
}
