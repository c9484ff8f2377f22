/* SPDX-License-Identifier: Apache-2.0 */
/* From a flagged pair to a witness that the checker has accepted.
 *
 * A clock names a prefix of each thread, so the clocks of the two accesses name all that comes before either. The
 * witness runs as recorded up to the earlier access, then only what comes before the later one, in the recorded order,
 * and ends with both accesses next. (Whatever the order closes under 'comes before' will do; this is the choice that
 * leaves most of the run as it was.) The checker (trace/check/checker.h) then decides, under the same values, else the
 * same last writers, else relaxed values. Accepted: the pair is a race, whichever order flagged it. Refused: it stays
 * unproven, with the checker's reason.
 *
 * The clocks of all pairs of a batch come from one pass of the order over the trace. Each check is a pass over the part
 * of the trace before the later access: the work that a batch may cost is limited, in events, so that the same trace
 * gives the same proofs on every machine. What the limit leaves out is undecided, not unproven.
 *
 * Ownership: the caller owns the pairs, and finishes them.
 */
#ifndef RECIPE_ORDER_PROOF_PROOF_H
#define RECIPE_ORDER_PROOF_PROOF_H

#include "order/engine/rules.h"
#include "trace/check/checker.h"

typedef struct rcp_proof {
    rcp_eid earlier, later; /* in: the pair */
    bool skip;              /* in: rcp_proofs_find() is not to look at it */

    bool undecided; /* the limit was reached before it */
    bool proven;
    rcp_value_rule values;     /* proven: the strictest rule under which it is */
    rcp_witness witness;       /* proven: the schedule; else empty */
    rcp_check_verdict verdict; /* not proven: why, under the last rule that was tried */
} rcp_proof;

void rcp_proof_init(rcp_proof *proof, rcp_eid earlier, rcp_eid later);
void rcp_proof_finish(rcp_proof *proof);

/* Called before the proof of pair i is tried; what was proven so far can make it superfluous: false skips it. */
typedef bool rcp_proof_filter(void *context, size_t i);

/* `trace` is indexed, `checker` is of it; each pair is two accesses or FREEs of different threads, the earlier one
 * first. `filter` may be NULL. *limit is how many events may be checked; what was is taken from it. Fails where a pair
 * is not of that sort. */
rcp_code rcp_proofs_find(const rcp_trace *trace, const rcp_checker *checker, const rcp_rules *rules, rcp_proof *proofs,
                         size_t n, rcp_proof_filter *filter, void *context, uint64_t *limit) RCP_MUST_USE;

#endif
