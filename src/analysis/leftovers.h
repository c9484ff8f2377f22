/* SPDX-License-Identifier: Apache-2.0 */
/* A run of the program that is to show something by itself must begin as the runs before it did: with the files that
 * the recorded one has left (record/left.h). A replay that is lost, a run that deadlocks or takes too long is ended
 * wherever it is, and may leave others: the flag that was to be removed last, for which another thread of the next run
 * would wait in vain.
 *
 * So before each such run it is looked at. What is not as it was, a run that comes to its end puts in order: the
 * program is run as it was recorded, nobody is held, and nobody judges what it does. Where that does not help, no
 * further run is made, and the reason is said.
 *
 * Borrows `top`, the recorded directory of the whole command. Owns `why_not`.
 */
#ifndef RECIPE_ANALYSIS_LEFTOVERS_H
#define RECIPE_ANALYSIS_LEFTOVERS_H

#include "analysis/notices.h"
#include "replay/stage.h"

typedef struct rcp_leftovers {
    const char *top;
    rcp_text why_not; /* not empty: no further run is made */
    uint64_t runs;    /* that were made to put things in order */
} rcp_leftovers;

/* *is_clear: a run may be made now. `limit`: seconds that one to put things in order may take, 0: as many as it likes.
 */
rcp_code rcp_leftovers_clear(rcp_leftovers *leftovers, const rcp_staging *staging, double limit,
                             const rcp_notices *notices, bool *is_clear) RCP_MUST_USE;
void rcp_leftovers_finish(rcp_leftovers *leftovers);

#endif
