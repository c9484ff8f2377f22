/* SPDX-License-Identifier: Apache-2.0 */
/* Who let whom go on in the recorded run: the post that a semaphore's wait took, the signal that ended a sleep, the
 * members of a barrier's generation, the holder whom a failed acquire met.
 *
 * No schedule has to keep these: another post would have done. A schedule that is to be found (order/proof/vindicate.h)
 * needs some such event, and the recorded one is the first to try; nothing is refuted by them.
 */
#ifndef RECIPE_ORDER_PROOF_SUPPLIES_H
#define RECIPE_ORDER_PROOF_SUPPLIES_H

#include "order/engine/graph.h"
#include "trace/model/trace.h"

/* Adds to `graph`, which is empty, an edge from each such event to the one that it let go on. */
void rcp_supplies_find(const rcp_trace *trace, rcp_order_graph *graph);

#endif
