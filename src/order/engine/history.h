/* SPDX-License-Identifier: Apache-2.0 */
/* The access history: who touched which byte last, and which of them an access races with.
 *
 * The naive model has, for every byte, per thread its last plain and atomic read and write in the byte's life, and the
 * byte's last writer with its clock; an access looks at all of it, byte by byte. A FREE is a plain write in the life
 * that it ends and in the one that it begins. How it is kept: order/engine/cells.h, order/engine/touches.h. What is
 * quick: a cell that its one thread touches again (a compare and a store), and one whose newest write is known to come
 * before (one number compared, FastTrack's epoch).
 *
 * Invariant: memory is proportional to what is alive: ALLOC and FREE take the history of their range away, and leave
 * one record. The history owns its cells and borrows clocks and rules.
 */
#ifndef RECIPE_ORDER_ENGINE_HISTORY_H
#define RECIPE_ORDER_ENGINE_HISTORY_H

#include "order/engine/frame.h"
#include "order/engine/redundant.h"
#include "trace/model/defs.h"

/* What an access races with: of one other thread the last conflicting access that is not ordered before it; by place
 * (order/engine/touches.h): of one other thread and place. */
typedef struct rcp_suspect {
    rcp_touch touch;
    uint64_t lo, hi; /* from the lowest to past the highest common byte */
} rcp_suspect;

/* One access of another thread that the current event races with, and where. */
typedef struct rcp_racing {
    rcp_touch touch;
    rcp_shared *shared;
} rcp_racing;

/* What was known when an event was compared with those before it: what a proof (order/proof/proof.h) is made of. Holds
 * its clocks. */
typedef struct rcp_probe {
    rcp_stamp before;         /* all but what the order's own rules add after the check */
    RCP_VEC(rcp_stamp) freed; /* FREEs that began a life of its bytes: no schedule reaches it without them */
} rcp_probe;

typedef struct rcp_history {
    rcp_cells cells;
    rcp_order_frame *frame;
    const rcp_rules *rules;
    bool keeps_writers; /* what came before a plain write is asked for later: by the order's rules, or by opaque events.
                           Otherwise its clock is let go: with many threads clocks are what costs memory */
    rcp_probe *probe;   /* NULL: nobody asks about the current event */
    rcp_redundant *redundant;      /* NULL: every access is analysed; borrowed */
    RCP_VEC(rcp_suspect) suspects; /* of the current event; one per thread, or per thread and place */
    RCP_VEC(uint32_t) suspect_of;  /* by thread: where its first one is in suspects, if it is there */
    RCP_VEC(rcp_racing) racing;    /* all that the current event races with, where races are handled */
    rcp_picked_list picked;
} rcp_history;

/* `opaque`: there will be events for rcp_history_opaque(). The frame has its rules and clocks; its extras become the
 * history's. */
void rcp_history_init(rcp_history *history, rcp_order_frame *frame, bool opaque);
void rcp_history_finish(rcp_history *history);

/* What an access will need is put on its way to the processor's cache, some events ahead, link by link: where its line
 * is looked up, its cell, what the cell refers to, what that refers to. Half of the time of a large trace is waiting
 * for memory otherwise. */
#define RCP_HISTORY_LINKS 4
static inline void rcp_history_expect(rcp_history *history, const rcp_event *event, int link) {
    if (!link) {
        rcp_cells_expect(&history->cells, event->addr);
        return;
    }
    rcp_line *line = rcp_cells_line(&history->cells, event->addr);
    if (!line)
        return;
    rcp_access_cell *cell = rcp_line_cell(line, event->addr);
    if (link == 1) {
        __builtin_prefetch(cell, 1);
        return;
    }
    if (cell->next && link == 2)
        __builtin_prefetch(rcp_cells_more(&history->cells, cell->next), 1);
    if (!cell->is_shared) {
        if (link == 2 && event->kind == RCP_WRITE) /* lets go of what stands there */
            rcp_clock_expect(history->cells.clocks, cell->w_clock);
    } else if (link == 2) {
        __builtin_prefetch(cell->shared, 1);
    } else {
        __builtin_prefetch(event->kind == RCP_READ ? cell->shared->reads.at : cell->shared->writes.at, 1);
        if (event->kind != RCP_READ)
            rcp_clock_expect(history->cells.clocks, cell->shared->writer.clock);
    }
}

/* Each adds to the runner's clock what comes before the event, compares the event with those before it, leaves in
 * `suspects` (which the caller has emptied) what it races with, and enters it. */
void rcp_history_access(rcp_history *history, rcp_runner *runner, uint64_t eid, const rcp_event *event);
void rcp_history_alloc(rcp_history *history, rcp_runner *runner, const rcp_event *event);
void rcp_history_free(rcp_history *history, rcp_runner *runner, const rcp_event *event);
/* What the filter kept back is entered (order/engine/redundant.h). */
void rcp_history_catch_up(rcp_history *history);
/* An opaque event reads and writes the spans; it races with nobody. */
void rcp_history_opaque(rcp_history *history, rcp_runner *runner, const rcp_span *spans, size_t n);

#endif
