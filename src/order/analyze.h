/* SPDX-License-Identifier: Apache-2.0 */
/* The partial orders: one pass over the store for all models asked for, then one race per static pair, each with a
 * witness that the checker accepted, or unproven with the reason.
 *
 * Flagging streams. Proofs want the trace in memory, up to the last event that was flagged: where nothing was, nobody
 * need load it. hb and shb name each pair of places of which they leave an instance unordered, however many there are
 * of one thread; the others name its last access. Of each pair and model the kept instances are tried until one is
 * proven, the first one of every pair before a second one of any: of hb and shb by the order's
 * own clocks (order/proof/proof.h), of wcp, dc, sdp and wdp by vindication (order/proof/vindicate.h), pairs that wdp
 * alone flags first. A dynamic pair is decided once, whoever flags it. A pair that is refuted is decided, and not
 * listed; one that stays unknown is listed as undecided.
 *
 * Invariant: the same trace gives the same races in the same order. The report owns its pairs and races; reader, trace
 * and checker are borrowed.
 */
#ifndef RECIPE_ORDER_ANALYZE_H
#define RECIPE_ORDER_ANALYZE_H

#include "order/engine/pairs.h"
#include "order/proof/vindicate.h"
#include "results/race.h"
#include "trace/store/reader.h"

typedef struct rcp_order_report {
    rcp_pairs pairs;                                     /* that were flagged */
    rcp_races races;                                     /* by later event, then by the earlier one */
    rcp_analysis analysis;                               /* `seconds` included */
    uint64_t events;                                     /* of the trace */
    uint64_t seen;                                       /* of these the orders have; fewer: the time was over, */
    uint64_t first_seen;                                 /* and the first of them, the cheapest, went on alone */
    uint64_t unordered;                                  /* pairs of which hb leaves an instance unordered, */
    uint64_t asked;                                      /* and of these so many had one put to the checker: */
    double asked_at;                                     /* by then, of rcp_seconds_now(); 0: there was none */
    rcp_engine_stats stats[RCP_MODELS];                  /* of the models that were run */
    uint64_t vindicated[RCP_VINDICATIONS][RCP_BY_COUNT]; /* dynamic pairs of wcp, dc, sdp and wdp */
} rcp_order_report;

void rcp_order_report_init(rcp_order_report *report);
void rcp_order_report_finish(rcp_order_report *report);

/* `models`: RCP_MODEL_BIT of orders that rcp_rules_of() knows; fails for others. The first `most` events of the trace
 * are looked at; after `seconds` the pass over them ends where it is; 0: no end. */
rcp_code rcp_order_flag(rcp_reader *reader, uint32_t models, uint64_t most, double seconds,
                        rcp_order_report *report) RCP_MUST_USE;

/* c11 over an execution in memory, up to `end` of rcp_seconds_now(); 0: all of it. */
rcp_code rcp_order_flag_by_language(const rcp_trace *execution, double end, rcp_order_report *report) RCP_MUST_USE;

/* How many of the trace's first events proofs need; 0: nothing was flagged. */
uint64_t rcp_order_needs(const rcp_order_report *report);

/* `trace` holds as many events as are needed, no more, and `checker` is of it. `limit`: events that the checker may
 * execute for all proofs together; pairs that it, or `end` (of rcp_seconds_now(); 0: none), leaves undecided are
 * counted in analysis.unknown. */
rcp_code rcp_order_prove(const rcp_trace *trace, const rcp_checker *checker, uint64_t limit, double end,
                         rcp_order_report *report) RCP_MUST_USE;

#endif
