/* SPDX-License-Identifier: Apache-2.0 */
/* `recipe analyze` for the partial orders: one pass over the store for all models asked for, one race per static pair,
 * each with a witness that the checker accepted, or unproven with the reason.
 *
 * The trace is loaded into memory only if some pair was flagged. Of each pair and model the kept instances are tried
 * until one is proven: of hb and shb by the order's own clocks (order/proof/proof.h), of wcp, dc, sdp and wdp by
 * vindication (order/proof/vindicate.h), pairs that wdp alone flags first. A dynamic pair is decided once, whoever
 * flags it. A pair that is refuted is decided, and not listed; one that stays unknown is listed as undecided.
 *
 * Invariant: the same trace gives the same races in the same order. The caller owns the races.
 */
#ifndef RECIPE_ORDER_ANALYZE_H
#define RECIPE_ORDER_ANALYZE_H

#include "order/engine/engine.h"
#include "order/proof/vindicate.h"
#include "results/race.h"

typedef struct rcp_order_report {
    rcp_races races;                                     /* by later event, then by the earlier one */
    rcp_analysis analysis;                               /* `seconds` included */
    uint64_t events;                                     /* of the trace */
    uint64_t seen;                                       /* of these the orders have; fewer: the time was over */
    rcp_engine_stats stats[RCP_MODELS];                  /* of the models that were run */
    uint64_t vindicated[RCP_VINDICATIONS][RCP_BY_COUNT]; /* dynamic pairs of wcp, dc, sdp and wdp */
} rcp_order_report;

void rcp_order_report_init(rcp_order_report *report);
void rcp_order_report_finish(rcp_order_report *report);

/* `models`: RCP_MODEL_BIT of orders that rcp_rules_of() knows; fails for others. `limit`: events that the
 * checker may execute for all proofs together; pairs that it leaves undecided are counted in analysis.unknown.
 * `seconds`: a part of them (the limit orders-pass-share) for the pass over the trace, which then ends where it is, the
 * rest for proofs; opening the trace is not counted; 0: no end. */
rcp_code rcp_order_analyze(const char *directory, uint32_t models, uint64_t limit, double seconds,
                           rcp_order_report *report) RCP_MUST_USE;

#endif
