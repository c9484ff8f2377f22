/* SPDX-License-Identifier: Apache-2.0 */
/* The races of an analysed recording, to be carried out on the program one by one: what 'replay' and 'run' share.
 *
 * What came of each is put into results.db at once. Owns its reader, results and summary.
 */
#ifndef RECIPE_ANALYSIS_REPLAYING_H
#define RECIPE_ANALYSIS_REPLAYING_H

#include "analysis/notices.h"
#include "replay/replay.h"
#include "results/results.h"

#include <signal.h>

typedef struct rcp_replaying {
    const char *directory;
    rcp_reader *reader;
    rcp_results *results;
    rcp_summary summary;
} rcp_replaying;

/* `replaying` is the caller's to close, also where this fails. */
rcp_code rcp_replaying_open(rcp_replaying *replaying, const char *directory) RCP_MUST_USE;
void rcp_replaying_close(rcp_replaying *replaying);

/* `race` is one of the summary's; `replay` the caller's to finish. */
rcp_code rcp_replaying_race(rcp_replaying *replaying, const rcp_race *race, const rcp_replay_options *options,
                            rcp_replay *replay) RCP_MUST_USE;
/* Each with either access first, until *stop is set. */
rcp_code rcp_replaying_all(rcp_replaying *replaying, const rcp_race *const *races, size_t n, double limit,
                           const volatile sig_atomic_t *stop, const rcp_notices *notices) RCP_MUST_USE;

#endif
