/* SPDX-License-Identifier: Apache-2.0 */
/* What becomes of the pairs that c11 flags: the judge (trace/check/language.h) is asked about their instances until it
 * says of one that the language leaves it unordered and happens-before does not.
 *
 * There is no schedule to be found: the recorded run is the execution, and both accesses are in it. A pair that another
 * order has proven stays that order's.
 */
#ifndef RECIPE_ORDER_PROOF_LANGUAGE_H
#define RECIPE_ORDER_PROOF_LANGUAGE_H

#include "order/proof/settle.h"

/* `races` and `refuted` by pair; a pair that c11 alone flags, and of which nothing is accepted, is refuted. */
void rcp_language_judge(const rcp_trace *trace, const rcp_pairs *pairs, rcp_proof_budget *budget, rcp_race *races,
                        bool *refuted);

#endif
