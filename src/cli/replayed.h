/* SPDX-License-Identifier: Apache-2.0 */
/* The races of an analysed recording, to be carried out one by one: what 'replay' and 'run' share.
 *
 * What came of each is put into results.db at once. The set owns its reader, results and findings.
 */
#ifndef RECIPE_CLI_REPLAYED_H
#define RECIPE_CLI_REPLAYED_H

#include "replay/replay.h"
#include "report/finding.h"

typedef struct rcp_replayed_set {
    const char *directory;
    rcp_reader *reader;
    rcp_results *results;
    rcp_summary summary;
    rcp_findings findings;
} rcp_replayed_set;

/* `set` is the caller's to close, also where this fails. */
rcp_code rcp_replayed_open(rcp_replayed_set *set, const char *directory) RCP_MUST_USE;
void rcp_replayed_close(rcp_replayed_set *set);

/* Race `id`, from 1. `replay` is the caller's to finish. */
rcp_code rcp_replayed_one(rcp_replayed_set *set, uint64_t id, const rcp_replay_options *options,
                          rcp_replay *replay) RCP_MUST_USE;
void rcp_replayed_print(rcp_text *to, const rcp_replayed_set *set, uint64_t id, const rcp_replay *replay);

#endif
