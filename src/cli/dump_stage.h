/* SPDX-License-Identifier: Apache-2.0 */
/* `recipe analyze --dump=STAGE`: what a stage of the analysis has in its hands, as text, for whoever debugs an answer.
 * The stages print themselves (predict/facts, predict/solve, order/engine); here is what leads up to them. Nothing of
 * it is kept in results.db.
 */
#ifndef RECIPE_CLI_DUMP_STAGE_H
#define RECIPE_CLI_DUMP_STAGE_H

#include "predict/analyze.h"

#define RCP_DUMP_STAGES "candidates|slice|query|order"

typedef struct rcp_dump {
    const char *stage;     /* one of RCP_DUMP_STAGES */
    const char *directory; /* of a trace that is there */
    const char *pair;      /* NULL, or "EVENT,EVENT" */
    uint32_t orders;       /* RCP_MODEL_BIT of partial orders, for 'order' */
    uint32_t models;       /* of RCP_PREDICT_MODELS, for the others: the weakest of them is asked */
    uint64_t events;       /* of the trace, at most */
    rcp_ladder_limits limits;
    bool spurious_wakeups;
} rcp_dump;

rcp_code rcp_dump_stage(const rcp_dump *dump, rcp_text *to) RCP_MUST_USE;

#endif
