/* SPDX-License-Identifier: Apache-2.0 */
/* wcp, dc, sdp and wdp by their definitions (seed 002, Tables 1 and 2; docs/orders.md): matrices of events, closed
 * until nothing is new. Slow and plain; shares nothing with src/order. At most 64 events.
 *
 * The caller owns the list.
 */
#ifndef RECIPE_PROP_NAIVE_WEAK_H
#define RECIPE_PROP_NAIVE_WEAK_H

#include "prop/naive_order.h"
#include "results/race.h"

/* sdp is the published one, without its mend. `published`: without the handling of races. Races as rcp_naive_order()
 * gives them: of each other thread the last one. */
void rcp_naive_weak(const rcp_trace *trace, rcp_model model, bool published, rcp_naive_races *races);

/* All pairs: pairs[j] has bit i iff (i, j) conflict, are unordered and have no lock in common. For hb, too. */
void rcp_naive_pairs(const rcp_trace *trace, rcp_model model, bool published, uint64_t pairs[64]);

#endif
