/* SPDX-License-Identifier: Apache-2.0 */
/* How a partial order differs from the frame that all of them share (order/engine/engine.h).
 *
 * The frame has what is common: program order, fork and join, synchronisation, lives of memory, critical sections, and
 * the comparison of an access with those before it. An order says which of the frame's edges it takes, what conflicting
 * critical sections mean to it, and what more it takes from an event *after* its race check: so an edge of the event's
 * own does not hide the race that it takes part in. One file per order (order/engine/hb.c … order/engine/wdp.c), one
 * table each.
 */
#ifndef RECIPE_ORDER_ENGINE_RULES_H
#define RECIPE_ORDER_ENGINE_RULES_H

#include "order/engine/clock.h"
#include "results/race.h"
#include "trace/model/event.h"

typedef struct rcp_order_frame rcp_order_frame; /* order/engine/frame.h */
struct rcp_shared;

/* Two conflicting accesses in critical sections of one lock (or atomic ones, each a critical section by itself). */
typedef struct rcp_meeting {
    rcp_stamp release;         /* of the earlier one's section */
    uint32_t lock;             /* RCP_NO_LOCK: they are atomic */
    bool blind;                /* both write, and neither reads */
    struct rcp_shared *shared; /* the place */
} rcp_meeting;

#define RCP_NO_LOCK UINT32_MAX

/* Where a read gets what it reads. */
typedef struct rcp_source {
    uint64_t eid;     /* the read */
    rcp_stamp writer; /* the last one of some of its bytes */
    uint32_t set;     /* the locks that the writer held */
    bool bound;       /* both are atomic, or the writer is opaque code: no race, whatever the locks */
} rcp_source;

typedef struct rcp_rules {
    rcp_model model;
    bool loose;     /* a lock's hand-over is no edge */
    bool composes;  /* with happens-before, beside which it has a clock of its own */
    bool sections;  /* critical sections matter: locksets, rule (b) */
    bool necessary; /* takes of the frame's edges only those that every schedule must keep */

    /* Rule (a): the runner's current event meets an earlier one. NULL: nothing to do. */
    void (*meets)(rcp_order_frame *frame, rcp_runner *runner, const rcp_meeting *meeting);
    /* The runner's current event reads the place; it has not been compared yet. */
    void (*reads)(rcp_order_frame *frame, rcp_runner *runner, struct rcp_shared *shared);
    /* The runner's current event reads from `source`. */
    void (*reads_from)(rcp_order_frame *frame, rcp_runner *runner, const rcp_source *source);
    /* The runner's current event is executed, not only next: what it depends on, its address apart. */
    void (*executes)(rcp_order_frame *frame, rcp_runner *runner, const rcp_event *event);
    /* The runner's current event accesses or frees a byte that `freed`, a FREE, made free. */
    void (*uses_freed)(rcp_order_frame *frame, rcp_runner *runner, rcp_stamp freed);
    /* The runner's current event, an atomic read, takes what an atomic write left. NULL: it comes after that write. */
    void (*takes)(rcp_order_frame *frame, rcp_runner *runner, struct rcp_shared *shared, rcp_order order);
    /* The runner's current event writes the place; who wrote it before still stands there. */
    void (*leaves)(rcp_order_frame *frame, const rcp_runner *runner, struct rcp_shared *shared, const rcp_event *event);
    /* The runner's current event is a fence, or counts as one. */
    void (*fences)(rcp_order_frame *frame, rcp_runner *runner, rcp_order order);
    /* Locks are taken and given back: what only sdp's mend needs. */
    void (*acquires)(rcp_order_frame *frame, rcp_runner *runner, uint32_t lock);
    void (*releases)(rcp_order_frame *frame, rcp_runner *runner, uint32_t lock);
} rcp_rules;

/* NULL: there is no such order, or not yet. */
const rcp_rules *rcp_rules_of(rcp_model model);

#endif
