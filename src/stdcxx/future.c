/* SPDX-License-Identifier: Apache-2.0 */
/* What libstdc++'s futures wait on, a word of the kernel's, and what their results begin and end with. */
#include "stdcxx/stdcxx.h"

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* False: the time has come. `seconds`, `nanoseconds`: since the clock's beginning, where `has_end`. */
bool wait_until(void *unused, unsigned *word, unsigned value, bool has_end, long seconds, long nanoseconds) STDCXX(
    _ZNSt28__atomic_futex_unsigned_base19_M_futex_wait_untilEPjjbNSt6chrono8durationIlSt5ratioILl1ELl1EEEENS2_IlS3_ILl1ELl1000000000EEEE);
bool wait_until_steady(void *unused, unsigned *word, unsigned value, bool has_end, long seconds, long nanoseconds) STDCXX(
    _ZNSt28__atomic_futex_unsigned_base26_M_futex_wait_until_steadyEPjjbNSt6chrono8durationIlSt5ratioILl1ELl1EEEENS2_IlS3_ILl1ELl1000000000EEEE);
void notify_all(unsigned *word) STDCXX(_ZNSt28__atomic_futex_unsigned_base19_M_futex_notify_allEPj);

static bool wait(unsigned *word, unsigned value, const struct timespec *end, int clock) {
    if (!end) {
        syscall(SYS_futex, word, FUTEX_WAIT, value, NULL);
        return true;
    }
    if (end->tv_sec < 0) /* the kernel knows no time before its clock began */
        return false;
    return !syscall(SYS_futex, word, FUTEX_WAIT_BITSET | clock, value, end, NULL, FUTEX_BITSET_MATCH_ANY) ||
           errno != ETIMEDOUT;
}

bool wait_until(void *unused, unsigned *word, unsigned value, bool has_end, long seconds, long nanoseconds) {
    (void)unused;
    struct timespec end = {seconds, nanoseconds};
    return wait(word, value, has_end ? &end : NULL, FUTEX_CLOCK_REALTIME);
}

bool wait_until_steady(void *unused, unsigned *word, unsigned value, bool has_end, long seconds, long nanoseconds) {
    (void)unused;
    struct timespec end = {seconds, nanoseconds};
    return wait(word, value, has_end ? &end : NULL, 0);
}

void notify_all(unsigned *word) { syscall(SYS_futex, word, FUTEX_WAKE, INT_MAX); }

typedef struct result { /* std::__future_base::_Result_base */
    void *const *virtual_functions;
    void *exception; /* an exception_ptr */
} result;

extern void *const result_table[] LIBRARY(_ZTVNSt13__future_base12_Result_baseE);

void begin(result *r) STDCXX(_ZNSt13__future_base12_Result_baseC2Ev);
void end(result *r) STDCXX(_ZNSt13__future_base12_Result_baseD2Ev);
void end_exception(void **exception) LIBRARY(_ZNSt15__exception_ptr13exception_ptrD1Ev);

void begin(result *r) {
    r->virtual_functions = result_table + 2; /* behind an offset and a type */
    r->exception = NULL;
}

void end(result *r) {
    if (r->exception)
        end_exception(&r->exception);
}

/* The base of what a thread runs: nothing. */
void end_state(void *state) STDCXX(_ZNSt6thread6_StateD2Ev);
void end_state(void *state) { (void)state; }
