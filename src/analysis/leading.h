/* SPDX-License-Identifier: Apache-2.0 */
/* Guesses (analysis/guesses.h), carried out on the program: it is led along the schedule of one, as a replay is, but
 * nothing is fed, and no wait ends before its time (RCP_RUN_GUESS of abi/run.h). So what it shows it has shown by
 * itself: the run is recorded, told and judged (analysis/shown.h) at the moment when both threads stand. On its way it
 * stops where the accesses of other guesses can meet (replay/tour.h): one run serves several pairs.
 *
 * Where the program does not go along, that is learnt, and the pair is guessed anew, a few times. Where it does not
 * even repeat what was recorded, again and again (a loop that ends by the clock), no further run is led; and none on
 * whose way a thread would have to go on from where it has not come back in runs before.
 */
#ifndef RECIPE_ANALYSIS_LEADING_H
#define RECIPE_ANALYSIS_LEADING_H

#include "analysis/guesses.h"
#include "analysis/leftovers.h"
#include "analysis/shown.h"

#include <signal.h>

/* A thread was to go on from there, and did not, for so many pairs, one after the other. */
typedef struct rcp_leading_stuck {
    uint64_t thread; /* its role */
    uint64_t at;     /* its event */
    uint64_t pair;   /* the last one, by its points */
    unsigned pairs;
} rcp_leading_stuck;

typedef struct rcp_leading {
    rcp_guesses *guesses;
    rcp_shown *shown;
    const rcp_staging *staging;        /* but for the plan */
    rcp_leftovers *leftovers;          /* of runs before */
    uint32_t patience;                 /* as of rcp_stage_steering; at least guess-patience */
    double end;                        /* of rcp_seconds_now(); 0: none */
    const volatile sig_atomic_t *stop; /* no further run is begun once it is set */
    double latest;                     /* the same, where the last run has shown something new */
    bool is_fruitful;                  /* it has */
    uint64_t runs;                     /* so far */
    uint64_t strays;                   /* the last so many of these did not even go along what was recorded */
    RCP_VEC(rcp_leading_stuck) stuck;
} rcp_leading;

/* The likely ones first: those with known values, those that are close, those that end first. */
rcp_code rcp_leading_all(rcp_leading *leading, const rcp_notices *notices) RCP_MUST_USE;
/* Seconds that one run of the program may take, led or steered: ten times as long as the recorded one, and no longer
 * than until `end`, of rcp_seconds_now(), 0: none. */
double rcp_leading_limit(const rcp_staging *staging, double end);
void rcp_leading_finish(rcp_leading *leading);

#endif
