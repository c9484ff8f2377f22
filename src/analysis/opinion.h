/* SPDX-License-Identifier: Apache-2.0 */
/* --solver=z3 for recipe and recipe+: what analysis/variants.h looks for by the project's own solver, looked for the
 * papers' way, for a second opinion.
 *
 * The recorded run and its variants are one guarded formula (predict/rival/sides.h). It is asked first what could turn
 * out as in no run yet; each answer is an order, along which the code is run (program/explore/explore.h), and the run
 * that comes of it makes the formula larger. When nothing turns any more, each pair of places that conflict somewhere
 * in it is asked about, all sides at once. Nothing of src/predict/solve/ladder.h has a part in it.
 *
 * An answer is no race yet: the code is run along its order, and that variant must show the race to the checker, as any
 * other would. Where it does not, that is a mistake of ours: said, counted, not reported.
 *
 * Invariant: what is kept was accepted by the checker and by running the code. 'Unknown' is never 'no race'.
 */
#ifndef RECIPE_ANALYSIS_OPINION_H
#define RECIPE_ANALYSIS_OPINION_H

#include "analysis/variants.h"
#include "predict/rival/ways.h"

typedef struct rcp_opinion_report {
    rcp_variants_report variants; /* branches: what could turn; made: runs that were thought out */
    uint64_t pairs;               /* of places: asked about */
    uint64_t races, none;         /* of these */
    uint64_t unknown;             /* at a limit, or beyond where runs can be followed */
    uint64_t refused;             /* the formula has a race that the code, or the checker, does not */
    uint64_t cuts[RCP_CUTS];      /* threads of runs that were not followed to their end, by why */
    uint64_t formulas;            /* of the largest question */
    bool is_too_large;
} rcp_opinion_report;

/* As rcp_variants_explore(). */
rcp_code rcp_opinion_explore(rcp_study *study, const rcp_variants_options *options,
                             rcp_opinion_report *report) RCP_MUST_USE;

#endif
