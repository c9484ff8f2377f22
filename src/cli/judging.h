/* SPDX-License-Identifier: Apache-2.0 */
/* Every race of a recorded run is judged a second time before it is kept: by running the program's code along its
 * witness (program/concrete/judge.h). What that refuses is no race that is reported: it stays unproven, and is counted.
 *
 * The run is executed again at the first race, and not where there is none. Owns its trace and its judge.
 */
#ifndef RECIPE_CLI_JUDGING_H
#define RECIPE_CLI_JUDGING_H

#include "program/concrete/judge.h"
#include "results/race.h"

typedef struct rcp_judging {
    const char *directory; /* borrowed */
    bool is_recorded;      /* else there is no code to run */
    rcp_trace trace;
    rcp_judge *judge;
    bool has_failed; /* there will be no judge */
    uint64_t feasible, refused, not_judged;
    char refusal[512], obstacle[512]; /* the first ones */
} rcp_judging;

void rcp_judging_init(rcp_judging *judging, const char *directory);
void rcp_judging_finish(rcp_judging *judging);

/* A proven race: adds to its `why` which values changed, or makes it unproven. Others are left as they are. Where the
 * code can't be run, the race stays, says so, and is counted. */
void rcp_judging_race(rcp_judging *judging, rcp_race *race);

#endif
