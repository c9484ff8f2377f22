/* SPDX-License-Identifier: Apache-2.0 */
/* Vindication of all static pairs that wcp, dc, sdp and wdp flag: pair by pair, instance by instance until one is a
 * race. A dynamic pair is decided once, whoever flags it.
 *
 * An order names of each thread its last access that it leaves unordered. Where that one is no race, or is not known to
 * be, those before it may be: they are looked for in the trace, and tried, the nearest first. So what wdp leaves
 * unordered is not lost to one that it leaves unordered, too.
 *
 * Invariant: the report has one race per pair. The caller owns everything.
 */
#ifndef RECIPE_ORDER_PROOF_JUDGE_H
#define RECIPE_ORDER_PROOF_JUDGE_H

#include "order/analyze.h"
#include "order/proof/settle.h"

#define RCP_VINDICATED                                                                                                 \
    (RCP_MODEL_BIT(RCP_MODEL_WCP) | RCP_MODEL_BIT(RCP_MODEL_DC) | RCP_MODEL_BIT(RCP_MODEL_SDP) |                       \
     RCP_MODEL_BIT(RCP_MODEL_WDP))

/* `refuted`, by pair: it is decided to be none. `more`: races of static pairs that the orders did not name. */
rcp_code rcp_judge_all(const rcp_trace *trace, uint32_t models, const rcp_pairs *pairs, rcp_order_report *report,
                       rcp_proof_budget *budget, bool *refuted, rcp_races *more) RCP_MUST_USE;

/* Accesses of the thread of `named` before it that conflict with `later`, the nearest first; returns how many. Each
 * event that is looked at is taken from *limit. */
size_t rcp_judge_earlier(const rcp_trace *trace, rcp_eid named, rcp_eid later, uint64_t *limit,
                         rcp_eid found[RCP_MOST_INSTANCES]);

#endif
