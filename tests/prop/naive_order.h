/* SPDX-License-Identifier: Apache-2.0 */
/* hb and shb by their definition: all edges of docs/orders.md between all pairs of events, a transitive closure over a
 * matrix, and every pair looked at. Slow and plain; shares nothing with src/order.
 *
 * The caller owns the list.
 */
#ifndef RECIPE_PROP_NAIVE_ORDER_H
#define RECIPE_PROP_NAIVE_ORDER_H

#include "trace/trace.h"

typedef struct rcp_naive_race {
    rcp_eid earlier, later;
    uint64_t lo, hi; /* from the lowest to past the highest byte in common */
} rcp_naive_race;

typedef RCP_VEC(rcp_naive_race) rcp_naive_races;

/* `trace` is indexed. Races by later event, then by the earlier one's thread. */
void rcp_naive_order(const rcp_trace *trace, bool schedulable, rcp_naive_races *races);

#endif
