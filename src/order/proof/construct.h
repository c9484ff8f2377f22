/* SPDX-License-Identifier: Apache-2.0 */
/* Schedules of a cone (order/proof/cone.h), for the checker to judge.
 *
 * The caller owns the witness, which is initialised and empty.
 */
#ifndef RECIPE_ORDER_PROOF_CONSTRUCT_H
#define RECIPE_ORDER_PROOF_CONSTRUCT_H

#include "order/proof/saturate.h"
#include "trace/model/witness.h"

/* The cone's events in the recorded order; `last`: but the sections that hold an access come after all else. */
void rcp_construct_recorded(const rcp_cone *cone, bool last, rcp_witness *witness);

/* Event by event: of those that may come next (the order of the cone, locks, last writers of causal reads) one is
 * chosen. Seed 0: the first one in the recorded order; 1: the last; else at random. False: it got stuck, or the cone
 * was too large to be put in order. */
bool rcp_construct_greedily(const rcp_saturation *order, uint64_t seed, rcp_witness *witness);

#endif
