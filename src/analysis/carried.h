/* SPDX-License-Identifier: Apache-2.0 */
/* What an analysis of a beginning of the run has proven, taken along to the next one: what is found there takes the
 * place of what was found, and there may not be time to find it again. More may be told then: events of a beginning
 * have the same numbers in a longer one, unless more memory turned out to be shared; so it is looked whether they are
 * the same, and the checker is asked again of each race. What there is no time to ask about is undecided. A replay's
 * word goes with its race.
 *
 * Owns the summary.
 */
#ifndef RECIPE_ANALYSIS_CARRIED_H
#define RECIPE_ANALYSIS_CARRIED_H

#include "analysis/study.h"

typedef struct rcp_carried {
    bool is_there;                /* a beginning was told, and analysed */
    uint64_t key;                 /* rcp_results_key() of its events */
    uint64_t bytes, hash, events; /* the file's whole chunks but the last, and so many events in them */
    rcp_summary summary;
} rcp_carried;

/* Before events are made. What can't be read is not carried. */
void rcp_carried_take(rcp_carried *carried, const char *directory);
/* Once the study has begun: those that it has not proven itself. */
rcp_code rcp_carried_keep(rcp_carried *carried, rcp_study *study) RCP_MUST_USE;
void rcp_carried_finish(rcp_carried *carried);

#endif
