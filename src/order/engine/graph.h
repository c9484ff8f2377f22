/* SPDX-License-Identifier: Apache-2.0 */
/* The edges that an order was made of: which earlier event each event learned from. With program order they have the
 * order's clocks as their closure, so whoever looks into a stretch of the trace (order/proof/vindicate.h) need not run
 * the order again.
 *
 * What a thread knows already is no edge: there are no more edges than times that a clock grew. They come in the order
 * of the events that learned.
 *
 * Invariant: sorted by the later event. The graph owns its edges.
 */
#ifndef RECIPE_ORDER_ENGINE_GRAPH_H
#define RECIPE_ORDER_ENGINE_GRAPH_H

#include "base/status.h"
#include "base/vec.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct rcp_order_graph_edge {
    uint32_t tid, count;   /* from: event number count - 1 of tid */
    uint32_t to;           /* event, by number in the trace */
    uint32_t executed : 1; /* it comes before the event's execution, not before its turn: a race needs the turn alone */
    uint32_t composed : 1; /* of happens-before alone, where the order is composed with it (order/engine/clock.h) */
} rcp_order_graph_edge;

typedef struct rcp_order_graph {
    RCP_VEC(rcp_order_graph_edge) edges;
    uint32_t event, tid; /* the one that learns now, and whose it is */
    bool executed;
} rcp_order_graph;

/* The first edge into event `eid` or a later one. */
static inline size_t rcp_order_graph_find(const rcp_order_graph *graph, uint64_t eid) {
    size_t low = 0, high = graph->edges.len;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (graph->edges.at[middle].to < eid)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}
static inline void rcp_order_graph_finish(rcp_order_graph *graph) { rcp_vec_finish(&graph->edges); }
/* The event number `count` - 1 of `tid` comes before where the thread `learner` is: the graph's current event, unless a
 * FORK tells its child (that edge, T1, the trace itself shows). `composed` as in the edge. */
static inline void rcp_order_graph_add(rcp_order_graph *graph, uint32_t tid, uint32_t count, uint32_t learner,
                                       bool composed) {
    if (learner != graph->tid)
        return;
    RCP_DCHECK(!graph->edges.len || graph->edges.at[graph->edges.len - 1].to <= graph->event);
    rcp_vec_push(&graph->edges, ((rcp_order_graph_edge){tid, count, graph->event, graph->executed, composed}));
}

#endif
