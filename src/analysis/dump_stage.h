/* SPDX-License-Identifier: Apache-2.0 */
/* `recipe analyze --dump=STAGE`: what a stage of the analysis has in its hands, as text, for whoever debugs an answer.
 * The stages print themselves (predict/facts, predict/solve, order/engine); here is what leads up to them. Nothing of
 * it is kept in results.db.
 */
#ifndef RECIPE_ANALYSIS_DUMP_STAGE_H
#define RECIPE_ANALYSIS_DUMP_STAGE_H

#include "analysis/study.h"

#define RCP_DUMP_STAGES "candidates|slice|query|order"

typedef struct rcp_dump {
    const char *stage; /* one of RCP_DUMP_STAGES; 'order' wants partial orders among the models, the others models that
                          predict */
    bool has_pair;
    rcp_eid pair[2]; /* two events, in any order */
} rcp_dump;

rcp_code rcp_dump_stage(const rcp_study_options *options, const rcp_dump *dump, const rcp_notices *notices,
                        rcp_text *to) RCP_MUST_USE;

#endif
