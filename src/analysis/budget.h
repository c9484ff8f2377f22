/* SPDX-License-Identifier: Apache-2.0 */
/* The time that an analysis may take, by the clock on the wall: one end for all of its stages. */
#ifndef RECIPE_ANALYSIS_BUDGET_H
#define RECIPE_ANALYSIS_BUDGET_H

#include "base/clock.h"
#include "base/deadline.h"
#include "base/limits.h"

typedef struct rcp_budget {
    double seconds; /* for all of it; 0: no end */
    double end;     /* of rcp_seconds_now(); 0: none */
    bool hunts;     /* the program is run again and again before the replays, and that is what the time is for */
} rcp_budget;

static inline rcp_budget rcp_budget_begin(double seconds) {
    return (rcp_budget){seconds, seconds > 0 ? rcp_seconds_now() + seconds : 0, false};
}

/* What comes now gets this part of what is left, and then all of it may go on: until rcp_budget_hold() says so. */
static inline void rcp_budget_hold(const rcp_budget *budget, uint64_t percent) {
    double now = rcp_seconds_now(), left = budget->end - now;
    rcp_deadline_set(budget->end <= 0 ? 0 : left > 0 ? now + left * (double)percent / 100 : budget->end);
}

/* Seconds that are left: at least a little, for 0 is no end. */
static inline double rcp_budget_left(const rcp_budget *budget) {
    double left = budget->end - rcp_seconds_now();
    return budget->end <= 0 ? 0 : left > 0.1 ? left : 0.1;
}

/* Percent of it that are kept for replays and steered runs: of a hunt, half of what it leaves. */
static inline uint64_t rcp_budget_kept(const rcp_budget *budget) {
    const uint64_t kept = budget->hunts ? (100 - rcp_limit(RCP_LIMIT_HUNT_SHARE)) / 2
                                        : rcp_limit(RCP_LIMIT_REPLAY_SHARE) + rcp_limit(RCP_LIMIT_STEER_SHARE);
    return kept < 100 ? kept : 100;
}
/* Of these: what is kept for steered runs alone. */
static inline uint64_t rcp_budget_kept_to_steer(const rcp_budget *budget) {
    const uint64_t steered = rcp_limit(RCP_LIMIT_STEER_SHARE), all = rcp_limit(RCP_LIMIT_REPLAY_SHARE) + steered;
    return !budget->hunts ? steered : all ? rcp_budget_kept(budget) * steered / all : 0;
}

/* Of 'recipe run': whole seconds of it for everything before the replays; 0: no end. */
static inline double rcp_budget_before_replays(const rcp_budget *budget) {
    const double before = budget->seconds * (double)(100 - rcp_budget_kept(budget)) / 100;
    return budget->seconds <= 0 ? 0 : before < 1 ? 1 : (double)(uint64_t)before;
}
/* When the replays end, and what is left is for steered runs; 0: no end. */
static inline double rcp_budget_end_of_replays(const rcp_budget *budget) {
    return budget->end <= 0 ? 0 : budget->end - budget->seconds * (double)rcp_budget_kept_to_steer(budget) / 100;
}

#endif
