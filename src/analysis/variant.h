/* SPDX-License-Identifier: Apache-2.0 */
/* One variant: a recording that was thought out (program/explore/explore.h), in DIR/variants/N, and the races in it.
 *
 * Or one that the program has made (analysis/shown.h).
 *
 * Invariant: what is kept went through rcp_make_race(), so the checker and the code have accepted it.
 */
#ifndef RECIPE_ANALYSIS_VARIANT_H
#define RECIPE_ANALYSIS_VARIANT_H

#include "analysis/study.h"
#include "program/machine/machine.h"
#include "replay/stage.h"

typedef struct rcp_variant {
    rcp_subject *run;
    uint32_t models;            /* that allow it */
    const rcp_map *only;        /* NULL, or the pairs (rcp_point_pair()) that are looked at */
    uint64_t pairs;             /* that were looked at */
    uint64_t races, not_judged; /* found; those along whose witness the code could not be run, or did not go */
} rcp_variant;

/* DIR/variants/N; the caller's. */
char *rcp_variant_take_path(const char *directory, uint32_t number);
/* A run that the program has made becomes the variant of that path, which is not there yet: its log and its image are
 * moved there, the rest is the recorded run's. */
rcp_code rcp_variant_settle(const rcp_performance *performance, const char *to) RCP_MUST_USE;

/* Makes its events, where they are not there, and opens it. Not `is`: it can't be executed again, or is no execution: a
 * mistake of ours, and *why says which. Fails where the system refuses what that needs: then nobody knows. */
rcp_code rcp_variant_is_run(rcp_subject *run, bool *is, rcp_text *why) RCP_MUST_USE;
/* The same, of a run whose events nobody has made, until all these moments are behind. */
rcp_code rcp_variant_is_run_until(rcp_subject *run, const rcp_stand *stops, size_t n, bool *is,
                                  rcp_text *why) RCP_MUST_USE;

/* The models that predict look at it, and c11, where it is asked for; of `how`, limits alone count. Pairs that the
 * study knows are passed over. */
rcp_code rcp_variant_analyze(rcp_study *study, rcp_variant *variant, const rcp_predict_options *how) RCP_MUST_USE;

#endif
