/* SPDX-License-Identifier: Apache-2.0 */
/* The papers' way beside ours: one pair by Z3, on its small cone, within a time of the processor. (Z3's own limit is of
 * the clock, which is not fair on a machine that is shared.) */
#ifndef RECIPE_BENCH_PAPERS_H
#define RECIPE_BENCH_PAPERS_H

#include "predict/solve/ladder.h"
#include "predict/rival/z3.h"

typedef struct rcp_papers_answer {
    double ms; /* of CPU time, without reading the model back */
    rcp_z3_answer answer;
} rcp_papers_answer;

rcp_papers_answer rcp_papers_ask(const rcp_ladder *ladder, const rcp_smt_facts *facts, rcp_eid a, rcp_eid b,
                                 rcp_model model, unsigned limit_ms);

#endif
