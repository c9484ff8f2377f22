/* SPDX-License-Identifier: Apache-2.0 */
/* A deadlock that another order of the recorded events leads to: threads that stand, each before an ACQUIRE that waits
 * for another one's, with the schedule that leads there.
 *
 * Invariant: the checker accepted the witness (rcp_checker_stand()), which claims no race. The events ascend. A
 * standstill owns its texts and its witness.
 */
#ifndef RECIPE_RESULTS_STANDSTILL_H
#define RECIPE_RESULTS_STANDSTILL_H

#include "base/vec.h"
#include "results/race.h"

typedef struct rcp_standstill {
    RCP_VEC(rcp_eid) events;
    rcp_race_status status; /* as of a race, from PREDICTED on */
    char *threads;          /* who waits for what: JSON objects with commas (docs/report.md); from rcp_alloc() */
    char *replay;           /* what carrying it out showed, lines; from rcp_alloc(), NULL where it was not */
    rcp_witness witness;
} rcp_standstill;

typedef RCP_VEC(rcp_standstill) rcp_standstills;

void rcp_standstill_init(rcp_standstill *standstill);
void rcp_standstill_finish(rcp_standstill *standstill);
/* Copied; what was told before is freed. */
void rcp_standstill_tell(rcp_standstill *standstill, const char *told);
void rcp_standstills_finish(rcp_standstills *standstills);

#endif
