/* SPDX-License-Identifier: Apache-2.0 */
/* The time that the program is told. In a run that is real, the system's. In one that is fed (abi/run.h) there is one
 * virtual clock: it shows what was recorded, but never less than it has shown already; where nothing was recorded, what
 * it has shown last and what has passed since. Wall and monotonic time and their kin are that one clock, at the
 * distances that they had when the recorded run began; the coarse ones, time() among them, up to a tick behind it.
 * Whoever sleeps or waits until a deadline moves it there: time may pass at any moment, so whatever it shows, some run
 * of the program could have been shown.
 *
 * A thread's CPU clock is its own, and no sleep moves it; the process's is at least their sum.
 *
 * Invariant: no clock's answer is less than one that it gave before. Nanoseconds throughout; `deadlines` are times on
 * CLOCK_MONOTONIC as the program sees it. Owns nothing; callable by any thread.
 */
#ifndef RECIPE_RUNTIME_CLOCK_H
#define RECIPE_RUNTIME_CLOCK_H

#include "abi/run.h"
#include "runtime/runtime.h"

#include <time.h>

/* The clocks of the system, now. */
void rcp_clock_look(struct rcp_log_clocks *clocks);

/* When a run that is fed begins. */
void rcp_clock_feed(const struct rcp_run_config *config);
bool rcp_clock_is_fed(void);
void rcp_clock_end(void); /* in the child of a fork: its time is the system's */

/* What it shows without anybody having asked; of one that is not ours, what the system says. */
int64_t rcp_clock_now(clockid_t clock);
/* By who asks: `recorded` NULL where there is no such answer. False: the clock is none of ours, and the system knows.
 */
bool rcp_clock_answer(rcp_thread *self, clockid_t clock, const int64_t *recorded, int64_t *answer);
/* It is that late. Nothing where the run is real. */
void rcp_clock_reach(uint64_t deadline);
/* Where the run is real: returns when it is that late. A schedule may have ended a wait before its time. */
void rcp_clock_await(uint64_t deadline);
/* `moved` is called, with what it shows on CLOCK_MONOTONIC, whenever that becomes more; under a lock of the clock's
 * own. */
void rcp_clock_on_move(void (*moved)(int64_t now));
/* The deadline on the system's clock of that kind. */
int64_t rcp_clock_real(uint64_t deadline, clockid_t clock);

/* The same of the machine's own counter, which shows `now`. */
uint64_t rcp_clock_counter(const uint64_t *recorded, uint64_t now);

/* A time of a file: not in the future. */
void rcp_clock_bound(struct timespec *of_file);

static inline int64_t rcp_clock_ns(const struct timespec *time) {
    return (int64_t)time->tv_sec * 1000000000 + time->tv_nsec;
}
static inline struct timespec rcp_clock_time(int64_t ns) { return (struct timespec){ns / 1000000000, ns % 1000000000}; }

#endif
