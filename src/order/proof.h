/* SPDX-License-Identifier: Apache-2.0 */
/* From a flagged pair to a witness that the checker has accepted.
 *
 * A clock names a prefix of each thread, so the clocks of the two accesses name all that comes before either. The
 * witness runs exactly that, in the recorded order, and ends with both accesses next. The checker (trace/checker.h)
 * then decides, under the same values, else the same last writers, else relaxed values. Accepted: the pair is a race,
 * whichever order flagged it. Refused: it stays unproven, with the checker's reason.
 *
 * The clocks of all pairs of a batch come from one pass of the order over the trace; each witness is then a pass over
 * the part of the trace before its later access, and so is each check.
 *
 * Ownership: the caller owns the pairs, and finishes them.
 */
#ifndef RECIPE_ORDER_PROOF_H
#define RECIPE_ORDER_PROOF_H

#include "order/rules.h"
#include "trace/checker.h"

typedef struct rcp_proof {
    rcp_eid earlier, later; /* in: the pair */
    bool skip;              /* in: rcp_proofs_find() is not to look at it */

    bool proven;
    rcp_values values;   /* proven: the strictest rule under which it is */
    rcp_witness witness; /* proven: the schedule; else empty */
    rcp_verdict verdict; /* not proven: why, under the last rule that was tried */
} rcp_proof;

void rcp_proof_init(rcp_proof *proof, rcp_eid earlier, rcp_eid later);
void rcp_proof_finish(rcp_proof *proof);

/* Called before the proof of pair i is tried; what was proven so far can make it superfluous: false skips it. */
typedef bool rcp_proof_filter(void *context, size_t i);

/* `trace` is indexed; each pair is two accesses or FREEs of different threads, the earlier one first. `filter` may be
 * NULL. Fails where a pair is not of that sort. */
rcp_code rcp_proofs_find(const rcp_trace *trace, const rcp_rules *rules, rcp_proof *proofs, size_t n,
                         rcp_proof_filter *filter, void *context) RCP_MUST_USE;

#endif
