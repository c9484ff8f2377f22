/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/linger.h"

#include "runtime/clock.h"
#include "runtime/follow.h"
#include "runtime/policy.h"
#include "runtime/sys.h"

#include <stdlib.h>
#include <time.h>

typedef int (*main_function)(int, char **, char **);
/* libc's own, which the first code of every program calls: it calls main, and exit() with what that returns. */
int __libc_start_main(main_function called, int argc, char **argv, void (*init)(void), void (*fini)(void),
                      void (*rtld_fini)(void), void *stack_end);

RCP_REAL_DEFINE(exit)
RCP_REAL_DEFINE(__libc_start_main)

static uint64_t last_sleep; /* ns */

void rcp_linger_start(const struct rcp_run_config *config) { last_sleep = config->last_sleep * 1000000; }

/* Lock held. When the first thread wakes up that does so until `end`; 0: none does. */
static uint64_t first_to_wake(uint64_t end) {
    uint64_t first = 0;
    for (const rcp_thread *t = rcp_baton.all; t; t = t->all_next)
        if (t->state == RCP_THREAD_AWAY && t->sleeps_until && t->sleeps_until <= end &&
            (!first || t->sleeps_until < first))
            first = t->sleeps_until;
    return first;
}

/* Until the first one that sleeps until `end`, or sooner, is back: it may be a moment late. False: there is none. The
 * baton stays here: who comes back is READY, and waits for it. */
static bool await_sleeper(uint64_t end) {
    enum { LOOK = 200000, LATE = 20000000 }; /* ns */
    const struct timespec look = {0, LOOK};
    rcp_sys_acquire(&rcp_baton.lock);
    const uint64_t first = first_to_wake(end);
    bool sleeps = first;
    rcp_sys_release(&rcp_baton.lock);
    while (sleeps && (uint64_t)rcp_clock_now(CLOCK_MONOTONIC) < first + LATE) {
        RCP_SYS2(SYS_nanosleep, &look, 0);
        rcp_sys_acquire(&rcp_baton.lock);
        sleeps = first_to_wake(end) == first;
        rcp_sys_release(&rcp_baton.lock);
    }
    return first && !sleeps;
}

void rcp_linger_inside(rcp_thread *self) {
    const bool waits = last_sleep && !rcp_follow_is_on() && !rcp_clock_is_fed();
    const uint64_t end = waits ? (uint64_t)rcp_clock_now(CLOCK_MONOTONIC) + last_sleep : 0;
    rcp_sys_acquire(&rcp_baton.lock);
    bool lingers = rcp_policy_linger(self, waits && first_to_wake(end));
    rcp_sys_release(&rcp_baton.lock);
    if (lingers) {
        do
            rcp_yield(self);
        while (waits && await_sleeper(end));
        rcp_sys_acquire(&rcp_baton.lock);
        rcp_policy_linger_end(NULL);
        rcp_sys_release(&rcp_baton.lock);
    }
}

void rcp_linger(void) {
    rcp_thread *self = rcp_inside();
    if (!self)
        return;
    rcp_linger_inside(self);
    rcp_outside(self);
}

void __recipe_linger(void) { rcp_linger(); }

static main_function programs_main;

/* Where main is recorded it has lingered before its return, and all have had their events. */
static int main_and_linger(int argc, char **argv, char **environment) {
    int status = programs_main(argc, argv, environment);
    rcp_linger();
    return status;
}

RCP_INTERCEPT int __libc_start_main(main_function called, int argc, char **argv, void (*init)(void), void (*fini)(void),
                                    void (*rtld_fini)(void), void *stack_end) {
    programs_main = called;
    return RCP_REAL(__libc_start_main)(main_and_linger, argc, argv, init, fini, rtld_fini, stack_end);
}

RCP_INTERCEPT void exit(int status) {
    rcp_linger();
    for (;;)
        RCP_REAL(exit)(status);
}
