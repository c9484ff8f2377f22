/* SPDX-License-Identifier: Apache-2.0 */
/* The races that can be carried out, by the numbers that the report gives them: what 'replay' and 'run' share.
 *
 * Owns what is replayed from (analysis/replaying.h) and the findings.
 */
#ifndef RECIPE_CLI_REPLAYED_H
#define RECIPE_CLI_REPLAYED_H

#include "analysis/replaying.h"
#include "base/map.h"
#include "report/finding.h"

typedef struct rcp_replayed_set {
    rcp_replaying from;
    rcp_findings findings;
} rcp_replayed_set;

/* `set` is the caller's to close, also where this fails. */
rcp_code rcp_replayed_open(rcp_replayed_set *set, const char *directory) RCP_MUST_USE;
void rcp_replayed_close(rcp_replayed_set *set);

/* Race `id`, from 1. `replay` is the caller's to finish. */
rcp_code rcp_replayed_one(rcp_replayed_set *set, uint64_t id, const rcp_replay_options *options,
                          rcp_replay *replay) RCP_MUST_USE;
/* All of them that were not shown before; of several processes, not what another has shown (`shown`, by
 * rcp_finding_points(); NULL: there is one process). */
rcp_code rcp_replayed_all(rcp_replayed_set *set, const rcp_map *shown, const rcp_replaying_how *how,
                          const rcp_notices *notices) RCP_MUST_USE;
/* Those of every process of a run, whose directory it is: each gets its part of the time. */
rcp_code rcp_replayed_every(const char *directory, const rcp_replaying_how *how,
                            const rcp_notices *notices) RCP_MUST_USE;
/* `shown`: the number that the report of all processes gives it. */
void rcp_replayed_print(rcp_text *to, const rcp_replayed_set *set, uint64_t id, unsigned shown,
                        const rcp_replay *replay);

#endif
