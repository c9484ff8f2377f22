/* SPDX-License-Identifier: Apache-2.0 */
/* Vindication of all static pairs that wcp, dc, sdp and wdp flag: pair by pair, instance by instance until one is a
 * race. A dynamic pair is decided once, whoever flags it.
 *
 * An order names of each thread its last access that it leaves unordered. Where that one is no race, or is not known to
 * be, those before it may be: they are looked for in the trace, and tried, the nearest first. So what wdp leaves
 * unordered is not lost to one that it leaves unordered, too. Behind those that are races, other places of the thread
 * are tried in the end.
 *
 * Invariant: there is one race per pair. The caller owns everything.
 */
#ifndef RECIPE_ORDER_PROOF_JUDGE_H
#define RECIPE_ORDER_PROOF_JUDGE_H

#include "order/proof/settle.h"
#include "order/proof/vindicate.h"

#define RCP_VINDICATED                                                                                                 \
    (RCP_MODEL_BIT(RCP_MODEL_WCP) | RCP_MODEL_BIT(RCP_MODEL_DC) | RCP_MODEL_BIT(RCP_MODEL_SDP) |                       \
     RCP_MODEL_BIT(RCP_MODEL_WDP))

/* What vindication makes of pairs. */
typedef struct rcp_vindications {
    rcp_race *races;                                 /* by pair */
    bool *refuted;                                   /* by pair: it is decided to be none */
    rcp_races more;                                  /* of static pairs that the orders did not name */
    uint64_t counts[RCP_VINDICATIONS][RCP_BY_COUNT]; /* dynamic pairs */
} rcp_vindications;

rcp_code rcp_judge_all(const rcp_trace *trace, const rcp_checker *checker, uint32_t models, const rcp_pairs *pairs,
                       rcp_proof_budget *budget, rcp_vindications *made) RCP_MUST_USE;

/* Accesses of the thread of `named` before it that conflict with `later`, the nearest first; returns how many. Each
 * event that is looked at is taken from *limit. */
size_t rcp_judge_earlier(const rcp_trace *trace, rcp_eid named, rcp_eid later, uint64_t *limit,
                         rcp_eid found[RCP_MOST_INSTANCES]);

#endif
