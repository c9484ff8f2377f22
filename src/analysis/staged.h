/* SPDX-License-Identifier: Apache-2.0 */
/* How a recorded program is run so that the run itself shows something: nothing is fed to it, and all but who runs when
 * is the system's. Runs that are steered, led along guesses (analysis/steering.h) or hunted for (analysis/hunting.h).
 *
 * Such a run is made only where whoever was there for the recorded one is there again: input that can be read once
 * more, nobody who may have answered what was printed.
 *
 * Owns what its staging points to; so it stays where it is.
 */
#ifndef RECIPE_ANALYSIS_STAGED_H
#define RECIPE_ANALYSIS_STAGED_H

#include "replay/stage.h"

typedef struct rcp_staged {
    char top[4200]; /* the recorded directory of the whole command */
    rcp_recorded_command command;
    rcp_meant meant;
    rcp_feeding feeding;
    rcp_staging staging; /* but for what leads it */
    const char *why_not; /* no such run is made; NULL: nothing is in the way. A constant */
} rcp_staged;

/* Of a recording, which may be that of a process of a command. `limit`: seconds of one run, 0: as usual. `staged` is
 * the caller's to finish, also where this fails. */
rcp_code rcp_staged_init(rcp_staged *staged, const char *directory, double limit, bool prints_to_nobody) RCP_MUST_USE;
void rcp_staged_finish(rcp_staged *staged);

#endif
