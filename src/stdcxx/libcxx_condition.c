/* SPDX-License-Identifier: Apache-2.0 */
/* libc++'s std::condition_variable. */
#include "stdcxx/libcxx.h"

#include <errno.h>

void notify_one(pthread_cond_t *c) STDCXX(_ZNSt3__118condition_variable10notify_oneEv);
void notify_all(pthread_cond_t *c) STDCXX(_ZNSt3__118condition_variable10notify_allEv);
void wait(pthread_cond_t *c, unique_lock *held)
    STDCXX(_ZNSt3__118condition_variable4waitERNS_11unique_lockINS_5mutexEEE);
void end(pthread_cond_t *c) STDCXX(_ZNSt3__118condition_variableD1Ev);
void end_base(pthread_cond_t *c) STDCXX(_ZNSt3__118condition_variableD2Ev);
/* `until`: nanoseconds of the system's clock. */
void timed_wait(pthread_cond_t *c, unique_lock *held, long long until) STDCXX(
    _ZNSt3__118condition_variable15__do_timed_waitERNS_11unique_lockINS_5mutexEEENS_6chrono10time_pointINS5_12system_clockENS5_8durationIxNS_5ratioILl1ELl1000000000EEEEEEE);

void notify_one(pthread_cond_t *c) { pthread_cond_signal(c); }
void notify_all(pthread_cond_t *c) { pthread_cond_broadcast(c); }

void wait(pthread_cond_t *c, unique_lock *held) {
    check(held->owns ? 0 : EPERM, "condition_variable::wait: mutex not locked");
    check(pthread_cond_wait(c, held->mutex), "condition_variable wait failed");
}

void end(pthread_cond_t *c) { pthread_cond_destroy(c); }
void end_base(pthread_cond_t *c) { pthread_cond_destroy(c); }

void timed_wait(pthread_cond_t *c, unique_lock *held, long long until) {
    enum { SECOND = 1000000000 };
    check(held->owns ? 0 : EPERM, "condition_variable::timed wait: mutex not locked");
    if (until < 0)
        until = 0;
    struct timespec end_time = {.tv_sec = until / SECOND, .tv_nsec = until % SECOND};
    int error = pthread_cond_timedwait(c, held->mutex, &end_time);
    check(error == ETIMEDOUT ? 0 : error, "condition_variable timed_wait failed");
}
