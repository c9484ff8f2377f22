/* SPDX-License-Identifier: Apache-2.0 */
/* What an order's own rules can reach: the state that the frame keeps for all of them, and what single orders keep
 * beside it. engine.c makes it; history.c, edges.c and the orders' files use it.
 *
 * Invariant: what an order does not use stays empty. Owns everything; definitions, terms and facts are borrowed.
 */
#ifndef RECIPE_ORDER_ENGINE_FRAME_H
#define RECIPE_ORDER_ENGINE_FRAME_H

#include "order/engine/cells.h"
#include "order/engine/facts.h"
#include "order/engine/fences.h"
#include "order/engine/graph.h"
#include "order/engine/locks.h"
#include "order/engine/mend.h"
#include "order/engine/past.h"
#include "order/engine/pending.h"
#include "order/engine/rules.h"

struct rcp_order_frame {
    const rcp_rules *rules;
    const rcp_defs *defs;
    const rcp_terms *terms;       /* NULL: not known; then a real term depends on nothing */
    const rcp_order_facts *facts; /* NULL: not known */
    bool published;               /* as the paper defines the order: races are not handled */
    bool implicit;                /* every read is followed by a branch */
    bool narrow;                  /* c11: rcp_defs_narrow_sequences() */
    rcp_clocks clocks;
    rcp_locks locks;
    rcp_pending pending;   /* wdp: reads whose last writer no branch has asked for yet */
    rcp_mend mend;         /* sdp */
    rcp_fences fences;     /* c11 */
    rcp_past past;         /* wcp, dc, sdp: for the handling of races (order/engine/meetings.h) */
    rcp_order_graph graph; /* where it is asked for */
    rcp_extras *extras;    /* the history's; borrowed */
};

/* Are racing accesses put in order once they are flagged, as rule (a) would? */
static inline bool rcp_order_handles(const rcp_order_frame *frame) { return frame->rules->meets && !frame->published; }

/* What is kept of the place beyond its history; made where there is none. Holds until the next one is made. */
static inline rcp_extra *rcp_order_extra(rcp_order_frame *frame, rcp_shared *shared) {
    if (!shared->extra)
        shared->extra = rcp_extras_make(frame->extras);
    return &frame->extras->at.at[shared->extra];
}

#endif
