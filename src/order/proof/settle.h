/* SPDX-License-Identifier: Apache-2.0 */
/* What a proof says of a static pair goes into the pair's race: the first that is accepted, or, where none is, the
 * first that was refused.
 *
 * Invariant: a race that is proven stays so, with its witness. Nothing is owned here.
 */
#ifndef RECIPE_ORDER_PROOF_SETTLE_H
#define RECIPE_ORDER_PROOF_SETTLE_H

#include "order/engine/pairs.h"
#include "order/proof/proof.h"

/* The proofs of all models draw on one limit; what it leaves out is marked, by pair. */
typedef struct rcp_proof_budget {
    uint64_t left;
    double end; /* by the clock that never goes back; 0: none. Then `left` becomes 0 */
    bool *undecided;
} rcp_proof_budget;

/* Is there nothing left, of events or of time? Then nothing will be. */
bool rcp_proof_budget_is_over(rcp_proof_budget *budget);

static inline rcp_eid rcp_pair_earlier(const rcp_trace *trace, const rcp_pair_instance *instance) {
    return rcp_trace_event_of(trace, instance->tid, instance->position);
}
/* Did a model before this one prove an instance that this one flags, too? */
bool rcp_settled_already(const rcp_trace *trace, const rcp_pair_flags *flags, const rcp_race *race);
/* `instances`: how often the model flags the pair. The witness of an accepted proof is taken. */
void rcp_settle(rcp_race *race, rcp_model model, uint64_t instances, rcp_proof *proof);

#endif
