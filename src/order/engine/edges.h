/* SPDX-License-Identifier: Apache-2.0 */
/* The edges that synchronisation makes: which events on an object come before which later ones. docs/orders.md lists
 * them with the rule of docs/semantics.md that asks for each; edges.c has them in the same order.
 *
 * They are what a schedule needs: if all that comes before some events is run in the recorded order, every
 * synchronisation event among it has the outcome that was recorded. No more than that, so that two shared holders of a
 * rwlock, or two posts of a semaphore, stay unordered.
 *
 * That is what hb, shb, wcp, dc and sdp take; the last three also keep critical sections (order/engine/locks.h), and dc
 * has no edge from a release to an acquire. wdp takes only what holds in every schedule of the trace's events, not just
 * in the recorded one: INIT, ONCE_END, and where order/engine/facts.h says that there is one giver or a full barrier.
 *
 * Invariant: an object that no event has named has no state. The table owns the clocks that its channels hold.
 */
#ifndef RECIPE_ORDER_ENGINE_EDGES_H
#define RECIPE_ORDER_ENGINE_EDGES_H

#include "order/engine/frame.h"

typedef struct rcp_object_edges {
    rcp_channel init;         /* INIT */
    rcp_channel all;          /* every event on it */
    rcp_channel give[2];      /* lock: releases by mode; condition: signals; semaphore: posts; once: END;
                                 barrier: [0] all ENTERs, [1] those of complete generations */
    rcp_channel take[2];      /* done: lock: acquisitions by mode; semaphore: waits */
    uint64_t inside;          /* barrier: members of the current generation so far */
    RCP_VEC(rcp_stamp) gives; /* one giver: its posts, or signals and broadcasts, in order */
    RCP_VEC(uint32_t) takes;  /* and per thread how often it has taken */
} rcp_object_edges;

typedef struct rcp_edges {
    rcp_order_frame *frame;
    rcp_clocks *clocks;
    RCP_VEC(rcp_object_edges) objects;
} rcp_edges;

void rcp_edges_init(rcp_edges *edges, rcp_order_frame *frame);
void rcp_edges_finish(rcp_edges *edges);
/* Adds the positions of threads (order/engine/locks.h) that the table stands for. */
void rcp_edges_positions(const rcp_edges *edges, rcp_position_list *of, size_t n);
/* An event that names an object. */
void rcp_edges_add(rcp_edges *edges, rcp_runner *runner, const rcp_event *event);

#endif
