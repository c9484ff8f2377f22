/* SPDX-License-Identifier: Apache-2.0 */
/* One variant: a recording that was thought out (program/explore/explore.h), in DIR/variants/N, and the races in it.
 *
 * Invariant: what is given out was accepted by the checker and by running the code.
 */
#ifndef RECIPE_CLI_VARIANT_H
#define RECIPE_CLI_VARIANT_H

#include "predict/analyze.h"
#include "results/race.h"
#include "trace/store/reader.h"

/* A race that is new, of the variant in `directory`; its models are set. The caller's. */
typedef rcp_code rcp_variants_sink(void *context, rcp_race *race, const char *directory);

typedef struct rcp_variant {
    const char *path;
    uint32_t number;     /* N */
    uint32_t models;     /* that allow it */
    rcp_map *known;      /* pairs (rcp_variants_pair()) that are proven already; those that are found are added */
    const rcp_map *only; /* NULL, or the pairs that are looked at */
    rcp_variants_sink *sink;
    void *context;
    uint64_t races, not_judged; /* found; those along whose witness the code could not be run, or did not go */
} rcp_variant;

/* DIR/variants/N; the caller's. */
char *rcp_variant_take_path(const char *directory, uint32_t number);
/* The directory, with the files in it. */
void rcp_variant_remove(const char *path);

/* Program points of a pair, to know it again in another variant. */
uint64_t rcp_variants_pair(const rcp_defs *defs, const rcp_event *a, const rcp_event *b);
/* The same of events of two runs. */
uint64_t rcp_variants_pair_of(const rcp_defs *a_defs, const rcp_event *a, const rcp_defs *b_defs, const rcp_event *b);

/* Makes its events, where they are not there. False: it can't be executed again, or is no execution: a mistake of ours,
 * and *why says which. */
bool rcp_variant_is_run(const char *path, rcp_text *why);

/* The models that predict look at it; of `how`, limits alone count. */
rcp_code rcp_variant_analyze(rcp_variant *variant, const rcp_predict_options *how) RCP_MUST_USE;

#endif
