/* SPDX-License-Identifier: Apache-2.0 */
/* Every race of a recorded run is judged a second time before it is kept: by running the program's code along its
 * witness (program/concrete/judge.h). What that refuses is no race that is reported: it stays unproven, and is counted.
 *
 * The judge is made at the first race, and not where there is none. Owns its judge.
 */
#ifndef RECIPE_ANALYSIS_JUDGING_H
#define RECIPE_ANALYSIS_JUDGING_H

#include "program/concrete/judge.h"
#include "results/race.h"
#include "trace/check/observed.h"

typedef struct rcp_judging {
    rcp_judge *judge;
    bool has_failed;      /* there will be no judge */
    double seconds, used; /* that all of it may take, by judge-share; 0: as long as there is time */
    uint64_t feasible, refused, not_judged;
    char refusal[512], obstacle[512]; /* the first ones */
} rcp_judging;

/* Lets go of the judge; the counts stay. */
void rcp_judging_rest(rcp_judging *judging);

/* A proven race of the recorded run in `directory`, whose events `observed` knows at least as far as the witness goes:
 * adds to its `why` which values changed, or makes it unproven. Where the code can't be run, the race stays, says so,
 * and is counted. What the system refuses is a failure. */
rcp_code rcp_judging_race(rcp_judging *judging, const char *directory, const rcp_observed *observed, rcp_race *race,
                          rcp_judged *verdict) RCP_MUST_USE;

#endif
